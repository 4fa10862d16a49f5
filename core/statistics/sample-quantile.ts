/**
 * The p-quantile of a sorted sample: linear between the order statistics around 1 + (n − 1)·p (Hyndman, Fan 1996, type 7; the default of R and numpy).
 * Throws RangeError when the sample is empty.
 */
export function sampleQuantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError('An empty sample has no quantile');
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = sorted[below]!;
  return position === below ? low : low + (position - below) * (sorted[below + 1]! - low);
}

/** A sorted copy. */
export function sortNumbers(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort();
}

/** Quantile of a sample in any order; null for an empty one. */
export function quantileOrNull(sample: readonly number[], probability: number): number | null {
  return sample.length === 0 ? null : sampleQuantile(sortNumbers(sample), probability);
}

interface EcdfPoint {
  value: number;
  /** The part of the sample that is at most `value`. */
  ratio: number;
}

/**
 * The empirical distribution function as its steps; of a larger sample at most `maxPoints` of them, evenly over the ranks, the smallest and
 * the largest value among them, and each exact. Equal values are one step.
 */
export function ecdf(sorted: ArrayLike<number>, maxPoints: number): EcdfPoint[] {
  const n = sorted.length;
  const wanted = Math.min(n, maxPoints);
  const points: EcdfPoint[] = [];
  for (let index = 0; index < wanted; index++) {
    let rank = wanted === 1 ? n - 1 : Math.round((index * (n - 1)) / (wanted - 1));
    const value = sorted[rank]!;
    if (points.at(-1)?.value === value) continue;
    while (rank + 1 < n && sorted[rank + 1] === value) rank++;
    points.push({ value, ratio: (rank + 1) / n });
  }
  return points;
}
