import { sortNumbers } from '../../statistics/sort-numbers.ts';

export interface Gap {
  /** The values on either side of it. */
  low: number;
  high: number;
}

/**
 * The widest gap between neighbours among the values in their order, which parts them into two groups as single linkage does (Sneath 1957). It finds one value that stands apart
 * (Dixon 1950 tests the same gap) as well as halves that do. Null with fewer than two values.
 */
export function findWidestGap(values: readonly number[]): Gap | null {
  const sorted = sortNumbers(values);
  let widest: Gap | null = null;
  for (let index = 1; index < sorted.length; index++) {
    const [low, high] = [sorted[index - 1]!, sorted[index]!];
    if (!widest || high - low > widest.high - widest.low) widest = { low, high };
  }
  return widest;
}
