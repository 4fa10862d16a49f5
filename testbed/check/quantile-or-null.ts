import { sampleQuantile } from '#core/statistics/sample-quantile.ts';

/** Quantile of a sample in any order; null for an empty one. */
export function quantileOrNull(sample: readonly number[], probability: number): number | null {
  if (sample.length === 0) return null;
  return sampleQuantile(
    sample.toSorted((a, b) => a - b),
    probability,
  );
}
