import type { AddedRounds } from '../../evaluation/rounds/added-rounds.ts';
import type { Repetition } from '../../evaluation/rounds/repetition.ts';
import { spentOnLater } from '../../stop-rule/level-of-look.ts';
import type { Remark } from './remark.ts';

/** That Rounds were added after the result had been seen, and what that did to the intervals; nothing where none of them was measured. */
export function stateAdded(
  added: readonly AddedRounds[],
  {
    looks,
    confidence,
    intervalConfidence,
    repetition,
  }: { looks: readonly number[]; confidence: number; intervalConfidence: number; repetition: Repetition },
): Remark[] {
  const blocks = looks.at(-1) ?? 0;
  if (looks.length < 2) return [];
  const measured = added.filter(
    ({ firstBlock }, index) => firstBlock <= blocks && added[index + 1]?.firstBlock !== firstBlock,
  );
  const parts = measured.map(
    ({ firstBlock, startedAt, requestedAt }, index) =>
      `${nameBlocks(firstBlock, (measured[index + 1]?.firstBlock ?? blocks + 1) - 1)} on ${(startedAt ?? requestedAt).slice(0, 10)}`,
  );
  const alpha = 1 - confidence;
  const rate = repetition.mayAddRounds
    ? ''
    : ` The Evaluation did not declare this, so up to ${show(alpha * (1 + spentOnLater))} of such Runs show a difference by chance, instead of ${show(alpha)}.`;
  return [
    {
      about: 'added',
      text: `Rounds were added after the result had been seen: ${listInWords(parts)}. To account for these ${looks.length} looks at the result, ${show(confidence)} intervals are computed at ${show(intervalConfidence)}.${rate}`,
    },
  ];
}

function nameBlocks(first: number, last: number): string {
  return first === last ? `Block ${first}` : `Blocks ${first}–${last}`;
}

function show(ratio: number): string {
  return `${Number((100 * ratio).toFixed(2))} %`;
}

/** `A`, `A and B`, or `A, B and C`. */
export function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
