import { createServer, type Server } from 'node:http';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { createApp } from './api/create-app.ts';
import type { ReceivingLimits } from './api/limit-receiving.ts';
import { sweepArtefacts } from './artefacts/sweep-artefacts.ts';
import { PictureArchive } from './artefacts/picture-archive.ts';
import { TraceArchive } from './artefacts/trace-archive.ts';
import { connectDatabase } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { retryTransient } from './db/retry-transient.ts';
import { listen } from './listen.ts';
import { ReportDesk } from './reports/report-desk.ts';
import type { AgentPresence } from './run-control.ts';
import { createRunServices } from './run-services.ts';

const databaseStartLimitMs = 15_000;
const headersLimitMs = 60_000;
const defaultMaximumTraceBytes = 5 * 1024 ** 3;

export interface ControllerOptions {
  databaseUrl: string;
  host: string;
  /** 0 chooses a free one. */
  port: number;
  /** Where people and Agents reach it, where that is not where it listens, or a proxy stands before it; with https, cookies go over https only. */
  publicUrl?: string | undefined;
  /** The built web UI; null serves the API alone. */
  webUiFolder: string | null;
  /** Where the traces of Runs are kept. */
  artefactsFolder: string;
  /** The oldest traces are deleted when all together are larger; 5 GiB unless told. */
  maximumTraceBytes?: number | undefined;
  /** Five minutes for a whole request, two without a byte of an upload, unless told. */
  receiving?: ReceivingLimits;
  log: Logger;
  /** Gives up the start. */
  signal: AbortSignal;
}

export interface Controller extends AsyncDisposable {
  /** Where people and Agents reach it. Without a slash at the end. */
  url: string;
  /** Where programs on this machine reach it. */
  localUrl: string;
  pool: Pool;
  agents: Pick<AgentPresence, 'isConnected'>;
  /** Leaves a Run that is under way to the next start. */
  close(): Promise<void>;
}

/** Throws `database-unreachable`, `migration-failed`, `port-taken` or `invalid-input`. */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const { host, port, log } = options;
  const pool = await openDatabase(options);
  // How long a body may take is limited by the app, which knows uploads.
  const server = createServer({ requestTimeout: 0, headersTimeout: headersLimitMs });
  try {
    const address = await listen(server, { host, port });
    const url = options.publicUrl?.replace(/\/+$/, '') ?? address;
    const { agents, close } = serve(server, { ...options, pool, publicUrl: options.publicUrl === undefined ? null : url, isSecure: url.startsWith('https:'), controllerName: `${hostname()} (${address})` });
    log.debug({ url }, 'The controller is ready');
    return { url, localUrl: address, pool, agents, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    server.close();
    await pool.end();
    throw error;
  }
}

/** Waits a while for a database that is still starting. */
async function openDatabase({ databaseUrl, log, signal }: ControllerOptions): Promise<Pool> {
  const retry = { signal, log, giveUp: AbortSignal.timeout(databaseStartLimitMs) };
  const pool = await retryTransient(() => connectDatabase({ databaseUrl, log }), retry);
  try {
    await retryTransient(() => migrate(pool, log), retry);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Puts API, hub and coordinator to work on the server; `close` ends them. */
function serve(server: Server, options: Omit<ControllerOptions, 'publicUrl'> & { pool: Pool; publicUrl: string | null; isSecure: boolean; controllerName: string }): Pick<Controller, 'agents' | 'close'> {
  const { pool, log, isSecure, publicUrl, controllerName, webUiFolder, artefactsFolder, maximumTraceBytes = defaultMaximumTraceBytes } = options;
  const traces = new TraceArchive(artefactsFolder, { pool, maximumBytes: maximumTraceBytes });
  const pictures = new PictureArchive(artefactsFolder, { pool });
  const sweeping = sweepArtefacts({ traces, pictures, log });
  const reports = new ReportDesk({ pool, databaseUrl: options.databaseUrl });
  const controllerVersion = packageJson.version;
  const runServices = createRunServices({ pool, traces, log, controllerVersion, controllerName });
  const { runControl, agents } = runServices;
  server.on('request', createApp({ pool, traces, pictures, log, runControl, agents, reports, controllerVersion, isSecure, publicUrl }, { webUiFolder, receiving: options.receiving }));
  runServices.start(server);

  let closing: Promise<void> | null = null;
  return { agents, close: () => (closing ??= close()) };

  async function close(): Promise<void> {
    await runServices[Symbol.asyncDispose](); // while the API still tells what goes on
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await sweeping[Symbol.asyncDispose]();
    await reports[Symbol.asyncDispose]();
    await pool.end();
  }
}
