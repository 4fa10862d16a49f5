import type { TestKind } from './test-kinds.ts';

/**
 * Groups run one after the other, the lanes of a group at the same time, the kinds of a lane one after the other.
 * `lint` takes one core, `calibration` the other, and no time is measured in them.
 */
const groups: readonly TestKind[][][] = [
  [['lint'], ['fuzz', 'calibration']],
  [['unit']],
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
