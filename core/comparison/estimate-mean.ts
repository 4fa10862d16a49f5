import type { Estimate } from './estimate.ts';
import { meanInterval } from '../statistics/mean-interval.ts';

/** The mean with its interval of one value per Round; null without any. */
export function estimateMean(valuesByRound: readonly number[], confidence: number): Estimate | null {
  if (valuesByRound.length === 0) return null;
  const { count: rounds, mean, standardDeviation, halfWidth } = meanInterval(valuesByRound, confidence);
  return { rounds, mean, standardDeviation, halfWidth };
}
