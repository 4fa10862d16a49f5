import type { Cell } from '../comparison.ts';

/**
 * The value of each Visit of a cell, in order of size; null where there are more than `most`, or where the report has no distribution. Of so few Visits the
 * distribution has every step, and the height of a step is how many Visits have its value.
 */
export function listVisitValues(
  {
    distribution,
    visits,
    failedVisits,
    absentVisits,
    leftOutVisits,
  }: Pick<Cell, 'distribution' | 'visits' | 'failedVisits' | 'absentVisits' | 'leftOutVisits'>,
  most: number,
): number[] | null {
  const count = visits - failedVisits - absentVisits - leftOutVisits;
  if (distribution?.ecdf.kind !== 'measured' || count > most) return null;
  const { points } = distribution.ecdf;
  return points.flatMap(({ value, ratio }, index) => {
    const below = points[index - 1]?.ratio ?? 0;
    return Array.from({ length: Math.round((ratio - below) * count) }, () => value);
  });
}
