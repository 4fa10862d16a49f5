import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Entrance } from '../people/entrance.ts';
import type { StoreWatch } from '../captures/artefacts/bucket/store-watch.ts';
import type { HostJoins } from '../agents/host-joins.ts';
import type { DiskSpace } from '../captures/artefacts/disk-space.ts';
import type { SnapshotReader } from '../visits/snapshot-reader.ts';
import type { PictureArchive } from '../captures/artefacts/picture-archive.ts';
import type { TraceArchive } from '../captures/artefacts/trace-archive.ts';
import type { ControllerLoad, PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import type { CausesFilling } from '../reports/causes-filling.ts';
import type { ReportMaker } from '../reports/report-maker.ts';
import type { RunClearing } from '../operating/clear-runs.ts';
import type { SiteArchive } from '../sites/site-archive.ts';
import type { SiteReader } from '../sites/site-reader.ts';
import type { TestbedState } from '#core/protocol/api/testbed-state.ts';
import type { AgentPresence, RunControl } from '../runs/run-control.ts';

/** Starts and ends a testbed on the machine of the Controller. */
export interface TestbedSwitch {
  readState(): Promise<TestbedState>;
  /** Returns at once: the state says what comes of it. Does nothing where one is on, or starts. */
  start(): void;
  /** Resolves once nothing of it is left. */
  end(): Promise<void>;
}

/** What the routes work with. */
export interface Services extends Entrance {
  pool: Pool;
  disk: DiskSpace;
  storeWatch: Pick<StoreWatch, 'problem'>;
  traces: TraceArchive;
  pictures: PictureArchive;
  sites: SiteArchive;
  siteReader: SiteReader;
  snapshots: SnapshotReader;
  log: Logger;
  runControl: RunControl;
  agents: AgentPresence;
  /** Null where this Controller starts no testbed. */
  testbed: TestbedSwitch | null;
  hostJoins: Pick<HostJoins, 'obstacle' | 'list' | 'begin' | 'stop'>;
  reports: ReportMaker;
  causes: Pick<CausesFilling, 'want'>;
  clearing: Pick<RunClearing, 'wake'>;
  metrics: PrometheusMetrics;
  readLoad: () => ControllerLoad;
  controllerVersion: string;
  /** Where it listens, as its operator said. */
  host: string;
  /** Where others reach the Controller, when its operator said so; null when only the browser knows. */
  publicUrl: string | null;
}
