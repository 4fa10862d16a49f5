import { z } from 'zod';
import { meanInterval } from '../statistics/mean-interval.ts';

/** A mean with its interval; `halfWidth` is null when there are too few Rounds for one (fewer than 2). */
export const EstimateSchema = z.object({
  /** Rounds that it rests on: the unit of statistical independence. */
  rounds: z.number().int(),
  mean: z.number(),
  standardDeviation: z.number().nullable(),
  halfWidth: z.number().nullable(),
});
export type Estimate = z.infer<typeof EstimateSchema>;

/** The mean with its interval of one value per Round; null without any. */
export function estimateMean(valuesByRound: readonly number[], confidence: number): Estimate | null {
  if (valuesByRound.length === 0) return null;
  const { count: rounds, mean, standardDeviation, halfWidth } = meanInterval(valuesByRound, confidence);
  return { rounds, mean, standardDeviation, halfWidth };
}
