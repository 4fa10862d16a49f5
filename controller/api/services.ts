import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { PictureArchive } from '../artefacts/picture-archive.ts';
import type { TraceArchive } from '../artefacts/trace-archive.ts';
import type { ReportDesk } from '../reports/report-desk.ts';
import type { AgentPresence, RunControl } from '../run-control.ts';

/** What the routes work with. */
export interface Services {
  pool: Pool;
  traces: TraceArchive;
  pictures: PictureArchive;
  log: Logger;
  runControl: RunControl;
  agents: AgentPresence;
  reports: ReportDesk;
  controllerVersion: string;
  /** Whether browsers reach the Controller by https, so that its cookie must not go over http. */
  isSecure: boolean;
  /** Where others reach the Controller, when its operator said so; null when only the browser knows. */
  publicUrl: string | null;
}
