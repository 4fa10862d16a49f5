/** Every kind of test, in the order in which they are run. All but `lint` are folders under tests/ and projects of vitest. */
export const testKinds = ['lint', 'unit', 'fuzz', 'calibration', 'db', 'browser', 'testbed', 'e2e'] as const;
export type TestKind = (typeof testKinds)[number];
export type VitestKind = Exclude<TestKind, 'lint'>;

/** The file of a test that only `./http-ae test --all` runs ends so. */
export const slowEnding = '.slow.test.ts';

/**
 * Groups run one after the other, the lanes of a group at the same time, the kinds of a lane one after the other.
 * `lint` takes one core, and the kinds beside it measure no time.
 */
const groups: readonly TestKind[][][] = [
  [['lint'], ['unit', 'fuzz', 'calibration']],
  [['db']],
  [['browser']],
  [['testbed']],
  [['e2e']],
];

/** The groups of these kinds, in the order in which they run. */
export function groupKinds(kinds: readonly TestKind[]): TestKind[][][] {
  return groups
    .map((lanes) => lanes.map((lane) => lane.filter((kind) => kinds.includes(kind))).filter(({ length }) => length > 0))
    .filter(({ length }) => length > 0);
}
