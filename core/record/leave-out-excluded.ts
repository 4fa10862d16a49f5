import type { RecordedVisit } from './run-record.ts';

/** Without the Rounds of which a person excluded every Visit. */
export function leaveOutExcluded<Item extends { block: number; scenario: string }>(
  rounds: readonly Item[],
  visits: readonly Pick<RecordedVisit, 'block' | 'scenario' | 'isExcluded'>[],
): Item[] {
  const ofRound = Map.groupBy(visits, keyOf);
  return rounds.filter((round) => !(ofRound.get(keyOf(round))?.every(({ isExcluded }) => isExcluded) ?? false));
}

function keyOf({ block, scenario }: { block: number; scenario: string }): string {
  return `${block} ${scenario}`;
}
