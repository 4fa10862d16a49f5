import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { sampleQuantile } from './sample-quantile.ts';

const resamples = 2000;

/**
 * The bias-corrected and accelerated bootstrap interval (Efron 1987) of the mean of one value per Block: 2,000 times as many Blocks drawn with replacement. Reproducible, as
 * the generator is the Run's. Null with fewer than two values; the values themselves when all are equal.
 */
export function bcaInterval(
  values: readonly number[],
  { confidence, generator }: { confidence: number; generator: RandomGenerator },
): { low: number; high: number } | null {
  const n = values.length;
  if (n < 2) return null;
  const sum = values.reduce((total, value) => total + value, 0);
  const replicates = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let total = 0;
    for (let draw = 0; draw < n; draw++) total += values[uniformInt(generator, 0, n - 1)]!;
    replicates[resample] = total / n;
  }
  const jackknife = values.map((value) => (sum - value) / (n - 1));
  return bcaFromReplicates({ estimate: sum / n, replicates: replicates.sort(), jackknife }, confidence);
}

/**
 * The interval from the bootstrap's (sorted) and the jackknife's estimates: bias z₀ = Φ⁻¹ of the part of replicates below the estimate, ties counting half; acceleration
 * from the skewness of the jackknife's; quantiles of type 7. As scipy's `bootstrap(method='BCa')`.
 */
export function bcaFromReplicates(
  { estimate, replicates, jackknife }: { estimate: number; replicates: Float64Array; jackknife: readonly number[] },
  confidence: number,
): { low: number; high: number } {
  const smallest = replicates[0]!;
  if (smallest === replicates.at(-1)) return { low: smallest, high: smallest };
  const below = replicates.reduce((count, value) => count + (value < estimate ? 1 : value === estimate ? 0.5 : 0), 0);
  const bias = quantile(below / replicates.length, 0, 1);

  const centre = jackknife.reduce((total, value) => total + value, 0) / jackknife.length;
  const cubes = jackknife.reduce((total, value) => total + (centre - value) ** 3, 0);
  const squares = jackknife.reduce((total, value) => total + (centre - value) ** 2, 0);
  const acceleration = cubes / (6 * squares ** 1.5);

  const end = (probability: number) => {
    const shifted = bias + quantile(probability, 0, 1);
    return sampleQuantile(replicates, cdf(bias + shifted / (1 - acceleration * shifted), 0, 1));
  };
  return { low: end((1 - confidence) / 2), high: end((1 + confidence) / 2) };
}
