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
}
