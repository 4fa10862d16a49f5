import type { Cell } from '#core/statistics/comparison.ts';

/** Why there is no mean: what became of the Visits that could have given one. */
export function explainAbsence(counts: Pick<Cell, 'visits' | 'failedVisits' | 'absentVisits'> | null): string {
  if (!counts || counts.visits === 0) return 'No Visit was made.';
  const { visits, failedVisits, absentVisits } = counts;
  const reasons = [
    ...(failedVisits > 0 ? [`${failedVisits} failed`] : []),
    ...(absentVisits > 0 ? [`${absentVisits} loaded but have no value of this metric, such as a page that never settled`] : []),
  ];
  return `Of ${visits} ${visits === 1 ? 'Visit' : 'Visits'}, ${reasons.join(' and ')}.`;
}
