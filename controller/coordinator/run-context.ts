import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { Time } from '#core/clock/time.ts';
import type { StoreWatch } from '../captures/artefacts/bucket/store-watch.ts';
import type { DiskSpace } from '../captures/artefacts/disk-space.ts';
import type { OwnedRun } from '../runs/stored-runs.ts';
import type { SiteReader } from '../sites/site-reader.ts';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import type { LiveProgress } from './live-progress.ts';
import type { UploadEvents } from '../ingest/accept-uploads.ts';
import type { OrderLine } from './order-line.ts';

/** What the execution of one Run needs. */
export interface RunContext {
  run: OwnedRun;
  hub: OrderLine;
  /** What its Agents know as the Controller's clock. */
  epochClock: EpochClock;
  disk: DiskSpace;
  siteReader: Pick<SiteReader, 'outline'>;
  storeWatch: Pick<StoreWatch, 'problem'>;
  /** Looks where the Agents of the Run are connected. */
  lookForAgents: () => Promise<void>;
  /** Does database work, again and again while the database is away. */
  store: <T>(work: (pool: Pool) => Promise<T>) => Promise<T>;
  /** `stored` whenever Visits or a Capture were committed. */
  uploads: EventEmitter<UploadEvents>;
  live: LiveProgress;
  metrics: Pick<PrometheusMetrics, 'countRound'>;
  /** The Run changed: notifies its watchers. */
  notify: () => void;
  /** Aborted when the Run is to stop, the lease is lost, or the Controller shuts down. */
  signal: AbortSignal;
  /** Aborted when the lease is lost or the Controller shuts down, and not when the Run is to stop: its hosts are put back all the same. */
  leaving: AbortSignal;
  /** Aborted when the lease is lost: the next owner puts the hosts back, and this one leaves them alone. */
  lost: AbortSignal;
  time: Time;
  log: Logger;
}

/** This try of a Round cannot give a result: it is kept, flagged, and the Round is tried again. */
export class RoundBrokenError extends Error {
  override readonly name = 'RoundBrokenError';
}
