import { sampleQuantile } from '#core/statistics/sample-quantile.ts';

/** Quantile of a sample in any order. Throws RangeError for an empty one. */
export function readQuantile(values: readonly number[], probability: number): number {
  return sampleQuantile(
    values.toSorted((a, b) => a - b),
    probability,
  );
}

export function readMedian(values: readonly number[]): number {
  return readQuantile(values, 0.5);
}
