import type { AbsenceReason } from '../../metrics/metric-definition.ts';

/** A Visit of a completed Round that is no warm-up, and no unmeasured first load. */
export interface CountedVisit {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
  isFailed: boolean;
  /** Failed because it was given up at the time limit. */
  isTimedOut: boolean;
  /** Left out of the statistics by a person, for a reason that is recorded. */
  isExcluded: boolean;
  /** How many more of its objects failed than in the Visit of its page with the fewest failures. Not there where there are none, and where it is not known. */
  lostObjects?: number;
  /** Of one that loaded, why it lacks latencies; null when it lacks none. */
  absences?: { totalMs?: AbsenceReason | undefined } | null;
  /** It lost objects, and so gives no latency by the rule that the Evaluation declares. */
  isLeftOut?: boolean;
}
