import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Comparison } from '#core/statistics/comparison.ts';
import type { TraceArchive } from '../artefacts/trace-archive.ts';
import type { Queryable } from '../db/queryable.ts';
import type { AgentPresence, RunControl } from '../run-control.ts';

/** What the routes work with. */
export interface Services {
  pool: Pool;
  traces: TraceArchive;
  log: Logger;
  runControl: RunControl;
  agents: AgentPresence;
  compareRun: (db: Queryable, runId: string) => Promise<Comparison>;
  controllerVersion: string;
  /** Whether browsers reach the Controller by https, so that its cookie must not go over http. */
  isSecure: boolean;
}
