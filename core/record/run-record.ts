import type { AddedRounds } from '../evaluation/rounds/repetition.ts';
import type { RoundState } from '../protocol/api/run.ts';
import type { RunState } from '../protocol/api/run-summary.ts';
import type { StartSkew } from '../protocol/start-skew.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { LatencyId } from '../metrics/index.ts';
import type { AbsenceReason, Measurement } from '../metrics/metric-definition.ts';
import type { HostLoad } from '../protocol/host-load.ts';
import type { BlockDecision } from '../stop-rule/block-decision.ts';
import type { Exclusion } from './exclusion.ts';
import type { HttpepTraffic } from './httpep-traffic.ts';
import type { PointTraffic } from './point-traffic.ts';
import type { RoundTraffic } from './round-traffic.ts';

/** All of a Run that its report is made from. The same record gives the same report, wherever it is read from: a database or a bundle. */
export interface RunRecord {
  runId: string;
  state: RunState;
  seed: number;
  evaluation: Evaluation;
  /** In the order in which they were added. */
  added: AddedRounds[];
  /** Every tried Round, in the order of execution. */
  rounds: RecordedRound[];
  /** The Visits that count: of completed Rounds that are no warm-up, without unmeasured first loads; in the order of execution. */
  visits: RecordedVisit[];
  /** Of the Passes of those Rounds, that of their first Visit. */
  starts: PassStart[];
  /** Every exclusion of a Visit, reversed ones too. */
  exclusions: Exclusion[];
  /** What its stop rule decided in the end; null while the Run continues, and when something else ended it. */
  ending: BlockDecision | null;
  /** How busy the hosts were over the Passes of those Rounds, in the order of execution. */
  loads: PassLoad[];
  /** What the User Agents received in each completed Round that is no warm-up. */
  traffic: RoundTraffic[];
  /** What crossed each Capture Point in each of those Rounds. */
  points: PointTraffic[];
  /** What HTTPEP counted in each of those Rounds, of the Scenarios that used it. */
  httpep: HttpepTraffic[];
}

/** With its start skew, which is not known with a single User Agent. */
export interface RecordedRound extends StartSkew {
  block: number;
  scenario: string;
  warmUp: boolean;
  state: RoundState;
}

/** A Visit that counts, with its three latencies; null where absent. */
export interface RecordedVisit {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
  isFailed: boolean;
  /** Failed because it was given up at the time limit. */
  isTimedOut: boolean;
  /** Left out of the statistics for a recorded reason. */
  isExcluded: boolean;
  isUnsettled: boolean;
  isHidden: boolean;
  /** Of a replayed page: requests that its recording lacks, and objects in all. Missing for any other. */
  replay?: { misses: number; objects: number };
  /** By how much its host may have made it longer, ms; null where its Agent did not report it. */
  hostDelayMs: number | null;
  /** How many of its objects failed; null where it failed itself, and where it is not known. */
  failedObjects: number | null;
  latencies: Record<LatencyId, number | null>;
  /** Of one that loaded, why it lacks some of them; null when it lacks none. */
  absences: { [Metric in LatencyId]?: AbsenceReason | undefined } | null;
  /** When its first request was sent; missing where nothing needs it. */
  requestStart?: Measurement;
  /** The causes of the primary latency, in the order of `causeIds`; null where they are not known, and missing where nothing needs them. */
  causes?: readonly number[] | null;
  /** The critical path of its total latency as `packPath` arranges it, on the Controller's clock. Null where that is not known, and missing where nothing needs it. */
  criticalPath?: readonly number[] | null;
}

/** When a User Agent began its Pass in a Round that counts, on the Controller's clock. */
export interface PassStart {
  block: number;
  scenario: string;
  userAgent: string;
  startedEpochMs: number;
  /** When the first request of its first Visit was sent, on the same clock; null where that is not known. */
  firstRequestEpochMs: number | null;
}

/** How busy a host was over a Pass of a Round that counts; null where its Agent reported nothing. */
export interface PassLoad {
  block: number;
  scenario: string;
  host: string;
  load: HostLoad | null;
}
