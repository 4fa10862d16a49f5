import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import type { Account } from './choose-account.ts';
import { separateRoles, databaseUrlOf, ensureAccess, storeAccess } from './separate-roles.ts';
import { adoptServer, spawnServer, nameServer, findServer, type ServerProcess } from './server-process.ts';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';

/** `ready`: our password and our data; `silent`: nothing answers, or not yet; `foreign`: another password or other data. */
type ServerAnswer = 'ready' | 'silent' | 'foreign';

const invalidPassword = '28P01';

const startLimitMs = 30_000;
const pollMs = 25;

/** Where a PostgreSQL of our own lives, and how it is run. */
export interface Installation {
  folder: string;
  dataFolder: string;
  logFile: string;
  account: Account;
}

/**
 * A server of this installation that answers: one that another process runs already, else a new one. With `port`, a new
 * one must listen there, because clients know it. Throws `postgres-failed` with the end of the server's log.
 */
export async function bringUpServer(
  installation: Installation,
  { port, signal }: { port: number | null; signal: AbortSignal },
): Promise<{ server: ServerProcess; databaseUrl: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]);
  try {
    while (true) {
      limit.throwIfAborted();
      const started = await startOrAdopt(installation, { port, signal: limit });
      if (started && (await isReady(started, { installation, limit }))) return started;
      await pause(pollMs, undefined, { signal: limit });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new AppError(
      'postgres-failed',
      `PostgreSQL in ${installation.folder} does not start: ${await endOfLog(installation)}`,
      {
        cause: error,
      },
    );
  }
}

interface Started {
  server: ServerProcess;
  databaseUrl: string;
}

/** Null while the last processes of a killed server are still ending, and while another start prepares the data. */
async function startOrAdopt(
  installation: Installation,
  { port, signal }: { port: number | null; signal: AbortSignal },
): Promise<Started | null> {
  const { folder, dataFolder, account, logFile } = installation;
  const access = await ensureAccess(folder);
  const found = await findServer(dataFolder);
  if (found.kind === 'ending') return null;
  if (found.kind === 'running') {
    if (access.port === null) throw foreignServer(installation, found.processId);
    return {
      server: adoptServer(found.processId, dataFolder),
      databaseUrl: databaseUrlOf({ port: access.port, password: access.password }),
    };
  }
  try {
    await separateRoles(account, { dataFolder, password: access.password, signal });
  } catch (error) {
    await appendFile(logFile, `${(error as Error).message}\n`, { mode: 0o600 });
    return null;
  }
  const chosen = port ?? (await findPort(access.port));
  if (chosen !== access.port) await storeAccess(folder, { ...access, port: chosen });
  return {
    server: await spawnServer({ ...installation, port: chosen }),
    databaseUrl: databaseUrlOf({ port: chosen, password: access.password }),
  };
}

/** Waits until the server answers; false when it ended instead, as it does when another one is quicker. */
async function isReady(
  { server, databaseUrl }: Started,
  { installation, limit }: { installation: Installation; limit: AbortSignal },
): Promise<boolean> {
  try {
    while (true) {
      const answer = await askServer(databaseUrl, installation.dataFolder);
      if (server.ended.aborted) return false;
      if (answer === 'ready') return true;
      if (answer === 'foreign') throw foreignServer(installation, server.processId);
      await pause(pollMs, undefined, { signal: limit });
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function foreignServer({ folder }: Installation, processId: number): AppError {
  return new AppError(
    'postgres-failed',
    `The PostgreSQL server with process id ${processId} uses ${folder} but rejects the password in ` +
      `${folder}/access.json: end it with "kill ${processId}" and try again, or set HTTP_AE_HOME to another folder`,
  );
}

async function endOfLog({ logFile }: Installation): Promise<string> {
  try {
    return `${(await readFile(logFile, 'utf8')).trim().split('\n').slice(-5).join(' | ')} (more in ${logFile})`;
  } catch {
    return 'it wrote no log';
  }
}

/** The wanted port of the loopback address where it is free, else another free one. */
export async function findPort(wanted: number | null): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (wanted === null || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await findPort(null);
  } finally {
    server.close();
  }
}

async function askServer(databaseUrl: string, dataFolder: string): Promise<ServerAnswer> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => undefined); // a connection that breaks fails the query below
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster_name: string }>('show cluster_name');
    return rows[0]?.cluster_name === (await nameServer(dataFolder)) ? 'ready' : 'foreign';
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === invalidPassword ? 'foreign' : 'silent';
  } finally {
    await client.end().catch(() => undefined); // it was never connected, or is broken
  }
}
