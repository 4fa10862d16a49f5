import type { UserComparison } from './compare-users.ts';

/** The Scenarios in which starting first is shown to have an effect, and how much less time the first takes. */
export function findStartOrderEffects(
  users: UserComparison,
  confidence: number,
): { scenario: string; ratio: number }[] {
  if (users.kind === 'absent') return [];
  return users.scenarios.flatMap(({ scenario, firstToStart }) =>
    firstToStart && (firstToStart.adjustedP ?? 1) <= 1 - confidence ? [{ scenario, ratio: firstToStart.ratio }] : [],
  );
}
