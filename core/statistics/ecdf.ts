export interface EcdfPoint {
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
