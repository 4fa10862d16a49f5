import { z } from 'zod';

/** A `score` has no unit. */
export type MetricUnit = 'ms' | 'bytes' | 'count' | 'score';

/** What a metric is. Its columns, the data dictionary, the words of the web UI and its place on pages come from here. */
export interface MetricDefinition {
  unit: MetricUnit;
  label: string;
  /** In one sentence. `docs/metrics.md` says more. */
  definition: string;
  source: string;
  /**
   * Which columns of exports are older: evaluators' scripts read columns by their place. 0 is before the columns of Rounds, packets and hosts.
   * A new metric has a greater number than all others; those that come together share it.
   */
  since: number;
  /** The section of the Comparison that has its means. */
  section?: 'rendering' | 'tasks';
}

/** Of one family, by their ids. */
export type Metrics = Record<string, MetricDefinition>;

export const AbsenceReasonSchema = z.enum([
  /** The browser or the engine has no such measurement. */
  'unsupported',
  /** It did not happen before the Snapshot was taken: when the page had settled, or at the hard cap. */
  'not-reached',
  /** The page was hidden, so the browser held it back. */
  'page-hidden',
  /** The browser hides it from other origins. */
  'timing-hidden',
  /** There is nothing of the kind to measure: a connection without TLS has no handshake. */
  'not-applicable',
  /** The browser had opened the connection before it began the request, and gives no times of that. */
  'opened-ahead',
  /** The viewport was not filmed, or its film misses when a look was first shown. */
  'not-filmed',
  /** What the browser did was not recorded, or not to its end. */
  'not-recorded',
]);
export type AbsenceReason = z.infer<typeof AbsenceReasonSchema>;

/** A measurement of any metric, before it is given its name. */
export type Measurement = { value: number } | { reason: AbsenceReason };

/** Of all metrics of a family. */
export type Measured<Family> = Record<keyof Family, Measurement>;
