import { excessKurtosis, skewness } from './moments.ts';

/** That of the uniform distribution; a sample above it is flagged. */
export const bimodalAbove = 5 / 9;

/**
 * The bimodality coefficient (SAS/STAT; Pfister et al. 2013): (G₁² + 1) / (G₂ + 3(n−1)² / ((n−2)(n−3))), from 0 to 1: 1/3 for a normal distribution, 5/9 for a uniform
 * one, 1 for two points. A strong skew with a light tail raises it too, so a flag says "look at the distribution", not "there are two modes".
 * Null with fewer than 4 values or when all are equal.
 */
export function bimodalityCoefficient(values: readonly number[]): number | null {
  const n = values.length;
  const [skew, kurtosis] = [skewness(values), excessKurtosis(values)];
  if (skew === null || kurtosis === null) return null;
  return (skew ** 2 + 1) / (kurtosis + (3 * (n - 1) ** 2) / ((n - 2) * (n - 3)));
}
