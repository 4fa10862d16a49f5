import type { TestKind } from './test-kinds.ts';

/** Each takes one core, and no time is measured in them: while one core lints, the other runs these. */
const besideLint: readonly TestKind[] = ['fuzz', 'calibration'];

/** The kinds in the order in which they are run: groups one after the other, the lanes of a group at the same time, the kinds of a lane one after the other. */
export function groupKinds(kinds: readonly TestKind[]): TestKind[][][] {
  const beside = kinds.includes('lint') ? kinds.filter((kind) => besideLint.includes(kind)) : [];
  return kinds
    .filter((kind) => !beside.includes(kind))
    .map((kind) => (kind === 'lint' && beside.length > 0 ? [[kind], beside] : [[kind]]));
}
