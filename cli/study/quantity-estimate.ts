import { presentValues } from '../../core/comparison/latencies/compute-reduction.ts';
import { meanInterval, tQuantile } from '../../core/statistics/mean-interval.ts';
import { extentOf } from '../../core/statistics/summarize-sample.ts';

/** A measured quantity with its interval; null where there are too few Rounds for one. */
export interface QuantityEstimate {
  value: number;
  interval: { low: number; high: number } | null;
  /** Blocks that it rests on; of the largest value, Visits, and of the least, Rounds. */
  blocks: number;
}

/** A bound in numbers. */
export interface Limits {
  above?: number;
  below?: number;
}

/** The mean of one value per Block, NaN where a Block has none, with its t interval; null without any. */
export function estimateOverBlocks(
  byBlock: Float64Array,
  { confidence, transform = (value) => value }: { confidence: number; transform?: (value: number) => number },
): QuantityEstimate | null {
  const values = presentValues(byBlock);
  if (values.length === 0) return null;
  const { count, mean, halfWidth } = meanInterval(values, confidence);
  if (halfWidth === null) return { value: transform(mean), interval: null, blocks: count };
  const ends = [transform(mean - halfWidth), transform(mean + halfWidth)];
  return { value: transform(mean), interval: { low: Math.min(...ends), high: Math.max(...ends) }, blocks: count };
}

/** The mean over Blocks. Times are skewed and above 0: theirs is the geometric mean, with the interval of the logarithms. */
export function estimateMean(
  byBlock: Float64Array,
  { confidence, isTime }: { confidence: number; isTime: boolean },
): QuantityEstimate | null {
  const isGeometric = isTime && presentValues(byBlock).every((value) => value > 0);
  return isGeometric
    ? estimateOverBlocks(byBlock.map(Math.log), { confidence, transform: Math.exp })
    : estimateOverBlocks(byBlock, { confidence });
}

/** The largest of what was seen. Of `asked` that were to be seen, one without a value may be larger, up to the last number: JSON has no infinity. Null without any. */
export function estimateLargest(values: readonly number[], asked: number): QuantityEstimate | null {
  if (values.length === 0) return null;
  const [, value] = extentOf(values);
  return {
    value,
    interval: { low: value, high: values.length < asked ? Number.MAX_VALUE : value },
    blocks: values.length,
  };
}

/** The least of what was seen, which is not below 0. Of `asked` that were to be seen, one without a value may be less. Null without any. */
export function estimateLeast(values: readonly number[], asked: number): QuantityEstimate | null {
  if (values.length === 0) return null;
  const [value] = extentOf(values);
  return { value, interval: { low: values.length < asked ? 0 : value, high: value }, blocks: values.length };
}

/** A t interval at another confidence than that it has. */
export function widenInterval(
  { low, high }: { low: number; high: number },
  { of, to, blocks }: { of: number; to: number; blocks: number },
): [low: number, high: number] {
  const [own, wanted] = [of, to].map((confidence) => tQuantile((1 + confidence) / 2, blocks - 1));
  const [middle, halfWidth] = [(low + high) / 2, (((high - low) / 2) * wanted!) / own!];
  return [middle - halfWidth, middle + halfWidth];
}
