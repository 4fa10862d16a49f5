import type { JudgedAssertion } from '#core/assertion/judge-assertion.ts';
import type { Comparison } from '#core/comparison/comparison.ts';

/** What a Run gave, for reports that other programs read. */
export interface AssertionResults {
  /** The id of the Run. */
  run: string;
  evaluationName: string;
  reportUrl: string;
  /** Null where the Run did not complete. */
  comparison: Comparison | null;
  /** Why it did not; null where it did. */
  problem: string | null;
  /** Empty where the Run did not complete. */
  judged: readonly JudgedAssertion[];
  /** The assertions as they were written: each has one or more of `judged`. */
  asserted: readonly string[];
  /** An undecided assertion is a failure. */
  failsUndecided: boolean;
  startedEpochMs: number;
  durationMs: number;
}
