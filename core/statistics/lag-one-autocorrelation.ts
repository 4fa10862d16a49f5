import { summarizeSample } from './summarize-sample.ts';

/**
 * How much a value follows the one before it: r₁ = Σ(xₜ − m)(xₜ₊₁ − m) / Σ(xₜ − m)² (Box, Jenkins; R's `acf`). Of independent values it is
 * about −1/n, give or take 1/√n. Null with fewer than 3 values or when all are equal.
 */
export function lagOneAutocorrelation(values: readonly number[]): number | null {
  if (values.length < 3) return null;
  const { mean, standardDeviation } = summarizeSample(values);
  if (!(standardDeviation! > 1e-12 * Math.abs(mean))) return null;
  const products = values.slice(1).reduce((sum, value, index) => sum + (value - mean) * (values[index]! - mean), 0);
  return products / values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
