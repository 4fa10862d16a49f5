import type { Cell } from '#core/statistics/comparison.ts';

/** Why there is no mean: what became of the Visits that could have given one. */
export function explainAbsence(counts: Pick<Cell, 'visits' | 'failedVisits' | 'absentVisits' | 'excludedVisits'> | null): string {
  if (!counts || counts.visits + counts.excludedVisits === 0) return 'No Visit was made.';
  if (counts.visits === 0) return `Every Visit, ${counts.excludedVisits} in all, is excluded.`;
  const { visits, failedVisits, absentVisits } = counts;
  const reasons = [
    ...(failedVisits > 0 ? [`${failedVisits} failed`] : []),
    ...(absentVisits > 0 ? [`${absentVisits} loaded but have no value of this metric, such as a page that never settled`] : []),
  ];
  // There are values, but the mean of a Scenario is one of the pages that all Scenarios have.
  if (reasons.length === 0) return 'No page has a value in every Scenario.';
  return `Of ${visits} ${visits === 1 ? 'Visit' : 'Visits'}, ${reasons.join(' and ')}.`;
}
