import type { AddedRounds } from '../evaluation/rounds/added-rounds.ts';

/**
 * How many Blocks a Run had each time that its result could be seen: before Rounds were added, each time, and now. `counted`: the Blocks that have a Round that counts, in any order, more than once
 * or not. Added Rounds of which none was measured were no look.
 */
export function listLooks(added: readonly Pick<AddedRounds, 'firstBlock'>[], counted: readonly number[]): number[] {
  if (added.length === 0) return [];
  const blocks = [...new Set(counted)];
  const seen = added.map(({ firstBlock }) => blocks.filter((block) => block < firstBlock).length);
  return [...seen, blocks.length].filter((count, index, looks) => count > (looks[index - 1] ?? 0));
}
