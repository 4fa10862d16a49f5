import { z } from 'zod';
import { sampleQuantile } from '../statistics/sample-quantile.ts';
import { sortNumbers } from '../statistics/sort-numbers.ts';

/** The skew of the starts over the Rounds of a Run. */
export const SkewSummarySchema = z.object({
  rounds: z.number().int(),
  medianMs: z.number(),
  largestMs: z.number(),
  /** The largest bound of the error of any of these Rounds; null where a Round has none, as those of older Agents. */
  errorMs: z.number().nullable(),
});
export type SkewSummary = z.infer<typeof SkewSummarySchema>;

/** Null when no Round has a skew. */
export function summarizeSkew(
  rounds: readonly { skewMs: number | null; errorMs: number | null }[],
): SkewSummary | null {
  const known = rounds.flatMap(({ skewMs, errorMs }) => (skewMs === null ? [] : [{ skewMs, errorMs }]));
  if (known.length === 0) return null;
  const skews = sortNumbers(known.map(({ skewMs }) => skewMs));
  const errors = known.flatMap(({ errorMs }) => errorMs ?? []);
  return {
    rounds: known.length,
    medianMs: sampleQuantile(skews, 0.5),
    largestMs: skews.at(-1)!,
    errorMs: errors.length < known.length ? null : Math.max(...errors),
  };
}
