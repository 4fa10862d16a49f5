import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { readMedian, readQuantile } from './read-quantile.ts';

const resamples = 5000;

/** The 95 % interval of a sample's median, by the percentile bootstrap. Efron 1979. */
export function estimateMedian(values: readonly number[], seed = 1): { median: number; low: number; high: number } {
  const generator = xoroshiro128plus(seed);
  const draw = () => values[uniformInt(generator, 0, values.length - 1)]!;
  const medians = Array.from({ length: resamples }, () => readMedian(values.map(draw)));
  return { median: readMedian(values), low: readQuantile(medians, 0.025), high: readQuantile(medians, 0.975) };
}
