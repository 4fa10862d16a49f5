import { cliffsDelta } from './cliffs-delta.ts';
import { mannWhitney } from './mann-whitney.ts';
import { welchTest, type WelchComparison } from './welch-interval.ts';

/** Two Scenarios of different Runs. Nothing pairs their Rounds: conditions that changed between the Runs are in every figure. */
export interface UnpairedComparison {
  /** Of the means, sample − reference, by Welch's test; null when one has fewer than two values. */
  difference: WelchComparison | null;
  /** Mann–Whitney, two-sided: of another question, whether one tends to be larger. */
  mannWhitneyP: number;
  /** P(a Round of the sample takes longer) − P(it takes less). */
  cliffsDelta: number;
}

/** Null when one has no values. */
export function compareUnpaired(
  sample: readonly number[],
  reference: readonly number[],
  confidence: number,
): UnpairedComparison | null {
  if (sample.length === 0 || reference.length === 0) return null;
  return {
    difference: welchTest(sample, reference, confidence),
    mannWhitneyP: mannWhitney(sample, reference).p,
    cliffsDelta: cliffsDelta(sample, reference).cliffsDelta,
  };
}
