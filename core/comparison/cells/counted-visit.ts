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
  /** How many of its objects failed that do not fail in every Visit of its page. Not there where there are none, and where it is not known. */
  lostObjects?: number;
  /** It lost objects, and so gives no latency by the rule that the Evaluation declares. */
  isLeftOut?: boolean;
}
