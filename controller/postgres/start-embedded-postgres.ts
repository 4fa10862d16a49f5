import { existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ensureAccess } from './access-file.ts';
import { findServer } from './find-server.ts';
import { handOverData } from './hand-over-data.ts';
import { bringUpServer, type Installation } from './bring-up-server.ts';
import { chooseAccount } from './choose-account.ts';
import { initialiseData } from './initialise-data.ts';
import { locateBinaries } from './locate-binaries.ts';
import type { ServerProcess } from './server-process.ts';

const firstPauseMs = 100;
const longestPauseMs = 30_000;
const healthyAfterMs = 60_000;

export interface EmbeddedPostgres extends AsyncDisposable {
  databaseUrl: string;
  /** Of the server that runs now; another one after a restart. */
  readonly processId: number;
  /** Stops the server unless another process started it. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that lives in `folder`, making it the first time, and starts it again, on the same port, whenever
 * it dies before `stop`. `signal` gives up the start. Throws `postgres-missing` or `postgres-failed`.
 */
export async function startEmbeddedPostgres(options: {
  folder: string;
  log: Logger;
  signal: AbortSignal;
}): Promise<EmbeddedPostgres> {
  const { log, signal } = options;
  const installation = await prepareInstallation(options);
  const { server, databaseUrl } = await bringUpServer(installation, { port: null, signal });
  log.info(server.isAdopted ? 'PostgreSQL is already running' : 'PostgreSQL started');
  log.debug({ processId: server.processId, folder: installation.folder }, 'PostgreSQL location');

  const stopping = new AbortController();
  const keeper = { server };
  const keeping = keepRunning(keeper, { installation, databaseUrl, log, signal: stopping.signal });
  const stop = async () => {
    stopping.abort();
    await keeping;
    await keeper.server.stop();
  };
  return {
    databaseUrl,
    get processId() {
      return keeper.server.processId;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function prepareInstallation(options: {
  folder: string;
  log: Logger;
  signal: AbortSignal;
}): Promise<Installation> {
  const folder = path.resolve(options.folder);
  const account = await chooseAccount(await locateBinaries());
  if (account.warning !== null) options.log.warn(account.warning);
  const dataFolder = path.join(folder, 'data');
  const { password } = await ensureAccess(folder);
  if (!existsSync(dataFolder))
    options.log.info(`Creating the database in ${folder}; the first start takes a few seconds`);
  if (!(await isInUse(dataFolder)) && (await handOverData(dataFolder, account)))
    options.log.info(
      `The database in ${folder} now belongs to the OS user ${account.owner?.name ?? ''}, who runs PostgreSQL`,
    );
  await initialiseData(dataFolder, { account, password, signal: options.signal });
  return { folder, dataFolder, logFile: path.join(folder, 'server.log'), account };
}

async function isInUse(dataFolder: string): Promise<boolean> {
  return existsSync(dataFolder) && (await findServer(dataFolder)).kind !== 'none';
}

/** Starts the server again each time it ends, until the signal, with pauses that grow while it does not stay up. */
async function keepRunning(
  keeper: { server: ServerProcess },
  {
    installation,
    databaseUrl,
    log,
    signal,
  }: { installation: Installation; databaseUrl: string; log: Logger; signal: AbortSignal },
): Promise<void> {
  const port = Number(new URL(databaseUrl).port);
  let pauseMs = firstPauseMs;
  let startedMs = performance.now();
  while (await hasEnded(keeper.server, signal)) {
    if (performance.now() - startedMs > healthyAfterMs) pauseMs = firstPauseMs;
    log.warn({ processId: keeper.server.processId, pauseMs }, 'PostgreSQL ended unexpectedly; starting it again');
    try {
      await pause(pauseMs, undefined, { signal });
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      keeper.server = (await bringUpServer(installation, { port, signal })).server;
      startedMs = performance.now();
      log.info({ processId: keeper.server.processId }, 'PostgreSQL runs again');
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'PostgreSQL does not start again');
    }
  }
}

/** True when the server has ended; false when the signal came first. */
async function hasEnded(server: ServerProcess, signal: AbortSignal): Promise<boolean> {
  if (!signal.aborted && !server.ended.aborted) {
    await once(AbortSignal.any([signal, server.ended]), 'abort');
  }
  return !signal.aborted;
}
