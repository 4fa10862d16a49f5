import type { Comparison } from '../../core/comparison/comparison.ts';
import type { NetworkFigure } from '../../core/protocol/network-figure.ts';
import type { PointTraffic } from '../../core/record/point-traffic.ts';
import type { RoundTraffic } from '../../core/record/round-traffic.ts';
import type { LinkFigures } from '../../core/study/formula.ts';
import type { StudyMetricId } from '../../core/study/quantity.ts';

/** A Visit that counts, with all that was measured of it. A failed one has no values. */
export interface MeasuredVisit {
  block: number;
  scenario: string;
  userAgent: string;
  /** What pairs it with Visits of other Scenarios. */
  page: string;
  variables: Readonly<Record<string, number>>;
  values: Readonly<Partial<Record<StudyMetricId, number>>>;
  /** Bytes that crossed each Capture Point between its start and that of the next Visit. Missing where other User Agents were measured with it. */
  bytesAt?: Readonly<Record<string, number>>;
  /** Where its packets are. */
  during?: VisitPeriod;
}

/** From the start of a Visit to that of the next of its Pass, on the Controller’s clock. */
export interface VisitPeriod {
  passId: string;
  fromEpochMs: number;
  /** Infinity of the last one. */
  untilEpochMs: number;
}

export interface RoundNetwork {
  block: number;
  scenario: string;
  figures: readonly NetworkFigure[];
}

/** Where and when a Run was measured. */
export interface RunConditions {
  startedAt: string;
  httpAeVersion: string;
  /** Of each machine with an Agent: kernel and CPUs. */
  machines: readonly string[];
  /** With which its pages were loaded. */
  browsers: readonly string[];
  /** Medians over Passes of the busiest host: part of the CPUs that was busy, and of the time in which a program waited for one. Null where no Agent reported it. */
  busyRatio: number | null;
  cpuPressureRatio: number | null;
}

/** What a Run gives a study. */
export interface Measurements {
  runId: string;
  conditions: RunConditions;
  confidence: number;
  visits: readonly MeasuredVisit[];
  users: Comparison['users'];
  /** False where two Scenarios lose objects in different parts of their Visits, beyond chance, and such Visits count. */
  isComparable: (scenario: string, against: string) => boolean;
  /** The emulated link of a Scenario. */
  linkOf: (scenario: string) => LinkFigures;
  /** What crossed each Capture Point in each Round that counts. */
  points: readonly PointTraffic[];
  /** What the User Agents received in each of these Rounds. */
  traffic: readonly RoundTraffic[];
  /** What the emulated network did in each of them. */
  network: readonly RoundNetwork[];
}
