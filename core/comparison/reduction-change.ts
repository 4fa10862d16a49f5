import { welchTest } from '../statistics/compare-unpaired.ts';
import type { Arm } from './arms.ts';
import { showConfidence, showP } from './findings/finding-words.ts';
import { changeAgainst, rangeOf } from './findings/reduction-words.ts';
import { toReduction } from './latencies/compute-reduction.ts';

/**
 * How the reduction of a Scenario differs between two Runs: how much less time it takes in the later one than in the earlier one, each against the baseline of its own Run. It is
 * 1 − the ratio of both ratios, by Welch's test of the log ratios of their Blocks, which is the scale that each reduction is estimated on.
 */
export interface ReductionChange {
  ratio: number;
  low: number;
  high: number;
  /** Of the same test: at most 1 − confidence just where 0 is outside the interval. */
  p: number;
}

/** The later Run against the earlier one. Null with fewer than two Blocks of either, and where one cannot be compared with its baseline. */
export function compareReductions(
  earlier: Pick<Arm, 'logRatios'>,
  later: Pick<Arm, 'logRatios'>,
  confidence: number,
): ReductionChange | null {
  const tested = welchTest(later.logRatios, earlier.logRatios, confidence);
  return (
    tested && {
      ratio: toReduction(tested.value),
      low: toReduction(tested.high),
      high: toReduction(tested.low),
      p: tested.p,
    }
  );
}

/** Whether the gain of a Scenario changed from Run to Run, in words. `confidence` is that of the interval. */
export function describeReductionChange(
  change: ReductionChange,
  { scenario, earlier, later, confidence }: { scenario: string; earlier: string; later: string; confidence: number },
): string {
  const interval = `${showConfidence(confidence)} interval ${rangeOf(change)}, ${showP(change.p)}`;
  return change.p <= 1 - confidence
    ? `${scenario} takes ${changeAgainst(change.ratio, ` in Run ${later}`)} in Run ${earlier}, each against its baseline (${interval}).`
    : `${scenario}: no change of the reduction is shown from Run ${earlier} to Run ${later} (${interval}).`;
}
