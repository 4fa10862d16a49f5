/** One metric of one Visit that counts: of a completed Round that is no warm-up, and no unmeasured first load. */
export interface Observation {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
  isFailed: boolean;
  /** Null when the Visit failed or the metric is absent. */
  value: number | null;
}
