import quantile from '@stdlib/stats-base-dists-normal-quantile';

export interface Proportion {
  count: number;
  of: number;
  /** Between 0 and 1, as are the ends of its interval. */
  ratio: number;
  low: number;
  high: number;
}

/**
 * A part of independent trials with Wilson's score interval (Wilson 1927), without correction for continuity, as in R's `prop.test(correct = FALSE)`. Unlike the
 * usual one it is right for few trials and near 0 and 1: none of 10 gives 0 to 0.28. Throws RangeError without trials.
 */
export function wilsonInterval({ count, of }: { count: number; of: number }, confidence: number): Proportion {
  if (!(of > 0)) throw new RangeError('A part of nothing is undefined');
  const z = quantile((1 + confidence) / 2, 0, 1);
  const ratio = count / of;
  const centre = (ratio + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const halfWidth = (z / (1 + z ** 2 / of)) * Math.sqrt((ratio * (1 - ratio)) / of + z ** 2 / (4 * of ** 2));
  // At the ends the formula gives 0 and 1 but for rounding.
  return { count, of, ratio, low: count === 0 ? 0 : centre - halfWidth, high: count === of ? 1 : centre + halfWidth };
}
