import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DiskSpace } from '../artefacts/disk-space.ts';
import type { OwnedRun } from '../db/runs.ts';
import type { AgentHub } from '../hub/agent-hub.ts';
import type { LiveProgress } from './live-progress.ts';

/** What the execution of one Run needs. */
export interface RunContext {
  run: OwnedRun;
  hub: AgentHub;
  disk: DiskSpace;
  /** Does database work, again and again while the database is away. */
  store: <T>(work: (pool: Pool) => Promise<T>) => Promise<T>;
  /** `stored` whenever Visits were committed. */
  uploads: EventEmitter<{ stored: [] }>;
  live: LiveProgress;
  /** The Run changed: tell who watches it. */
  notify: () => void;
  /** Aborted when the Run is to stop, the lease is lost, or the Controller shuts down. */
  signal: AbortSignal;
  /** Aborted when the lease is lost or the Controller shuts down, and not when the Run is to stop: its hosts are put back all the same. */
  leaving: AbortSignal;
  log: Logger;
}
