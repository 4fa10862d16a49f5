import type { StopTarget } from '../evaluation/rounds/repetition.ts';
import { tQuantile } from '../statistics/t-quantile.ts';
import type { LatencyId } from '../metrics/index.ts';
import type { SampleSummary } from '../statistics/summarize-sample.ts';

/** One metric of one (Scenario × User Agent × URL): count, mean and standard deviation of its values, one per Round. Null when it has none. */
export interface StopCell {
  metric: LatencyId;
  scenario: string;
  userAgent: string;
  url: string;
  rounds: SampleSummary | null;
}

/** Half the width of the t interval of the mean that a cell has after so many Rounds, in ms; null where there is none. */
export function halfWidthOf(
  { standardDeviation }: SampleSummary,
  { rounds, confidence }: { rounds: number; confidence: number },
): number | null {
  if (standardDeviation === null || rounds < 2) return null;
  return (tQuantile((1 + confidence) / 2, rounds - 1) * standardDeviation) / Math.sqrt(rounds);
}

/** The half-width that a cell is to reach, in ms. */
export function targetOf({ mean }: SampleSummary, target: StopTarget): number {
  return target.halfWidthMs ?? target.halfWidthRatio! * Math.abs(mean);
}
