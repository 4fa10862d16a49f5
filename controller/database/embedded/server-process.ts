import { spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import { statfsSync } from 'node:fs';
import { open, realpath, readdir, readFile, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { userOf, nameDataFolder, type Account } from './choose-account.ts';
import { shortHash } from './copy-binaries.ts';

const fastShutdownMs = 20_000;
const adoptedPollMs = 500;
const leastSharedMemoryBytes = 64 * 1024 * 1024;

/** A running PostgreSQL server. */
export interface ServerProcess {
  processId: number;
  isAdopted: boolean;
  /** Aborted when the process has ended. */
  ended: AbortSignal;
  /** Ends it and waits for that; an adopted one is left to the process that started it. */
  stop(): Promise<void>;
}

export interface ServerSettings {
  account: Account;
  dataFolder: string;
  logFile: string;
  port: number;
}

/** Starts a server on loopback, which ends with this process, however that ends. Throws when it cannot be executed. */
export async function spawnServer({ account, dataFolder, logFile, port }: ServerSettings): Promise<ServerProcess> {
  const [command, ...rest] = [
    ...account.prefix,
    path.join(account.binaries, 'postgres'),
    '-D',
    nameDataFolder(account, dataFolder),
    ...serverOptions(port, await nameServer(dataFolder)),
  ];
  await using output = await open(logFile, 'a', 0o600);
  await using folder = await open(dataFolder);
  // A group of its own, so that Ctrl-C in a terminal ends the database after its users, not with them.
  const child = spawn(command!, rest, {
    stdio: ['ignore', output.fd, output.fd, folder.fd],
    cwd: '/',
    detached: true,
    ...userOf(account),
  });
  const ended = new AbortController();
  const endWithUs = () => child.kill('SIGINT');
  process.once('exit', endWithUs);
  child.once('exit', () => {
    process.off('exit', endWithUs);
    ended.abort();
  });
  await once(child, 'spawn');
  return { processId: child.pid!, isAdopted: false, ended: ended.signal, stop };

  async function stop(): Promise<void> {
    if (ended.signal.aborted) return;
    const exit = once(child, 'exit');
    child.kill('SIGINT'); // fast shutdown: ends sessions, keeps all that was committed
    const hurry = setTimeout(() => child.kill('SIGQUIT'), fastShutdownMs);
    await exit;
    clearTimeout(hurry);
  }
}

function serverOptions(port: number, name: string): string[] {
  const settings = [
    `cluster_name=${name}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=60',
    'shared_buffers=128MB',
    'max_wal_size=1GB',
    ...(hasSharedMemory() ? [] : ['dynamic_shared_memory_type=mmap']),
  ];
  return ['-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
}

/** Containers often have a /dev/shm of 64 MB or none. macOS has none and needs none. */
function hasSharedMemory(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > leastSharedMemoryBytes;
  } catch {
    return false; // not mounted
  }
}

/** Watches a server that another process started. */
export function adoptServer(processId: number, dataFolder: string): ServerProcess {
  const ended = new AbortController();
  const released = new AbortController();
  const watching = watch();
  watching.catch(() => ended.abort());
  return {
    processId,
    isAdopted: true,
    ended: ended.signal,
    stop: async () => {
      released.abort();
      await watching;
    },
  };

  async function watch(): Promise<void> {
    while (!released.signal.aborted) {
      const found = await findServer(dataFolder);
      if (found.kind !== 'running' || found.processId !== processId) {
        ended.abort();
        return;
      }
      await pause(adoptedPollMs, undefined, { signal: released.signal }).catch(() => undefined);
    }
  }
}

/** What a server calls itself, by which it is known which data it has. */
export async function nameServer(dataFolder: string): Promise<string> {
  return `http-ae-${shortHash(await realpath(dataFolder))}`;
}

const execute = promisify(execFile);

/** What works in a data folder: `ending` are the last processes of a server whose main process is gone. */
type FoundServer = { kind: 'none' } | { kind: 'running'; processId: number } | { kind: 'ending' };

/**
 * Looks behind `postmaster.pid`, which stays when a server was killed. PostgreSQL itself copes with a number that is free,
 * but not with one that a zombie or another program has now: the file is then removed, once nothing works in the folder.
 */
export async function findServer(dataFolder: string): Promise<FoundServer> {
  const lockFile = path.join(dataFolder, 'postmaster.pid');
  const processId = await readProcessId(lockFile);
  if (processId === null) return { kind: 'none' };

  const folder = await realpath(dataFolder);
  if (await isServerOf(processId, folder)) return { kind: 'running', processId };
  if (await hasProcessIn(folder)) return { kind: 'ending' };
  if (isTaken(processId)) await rm(lockFile, { force: true });
  return { kind: 'none' };
}

async function readProcessId(lockFile: string): Promise<number | null> {
  try {
    const processId = Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    return processId > 0 ? processId : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function isServerOf(processId: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return isNamedPostgres(processId);
  try {
    const status = await readFile(`/proc/${processId}/status`, 'utf8');
    if (!/^Name:\s+postgres$/m.test(status) || /^State:\s+[ZX]/m.test(status)) return false;
    return (await readlink(`/proc/${processId}/cwd`)) === folder;
  } catch (error) {
    // Another user's: it may be a server that was started as nobody, and its answer will show.
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/** macOS, which has no /proc. */
async function isNamedPostgres(processId: number): Promise<boolean> {
  try {
    const { stdout } = await execute('ps', ['-o', 'stat=,comm=', '-p', String(processId)]);
    return /postgres\s*$/.test(stdout) && !stdout.startsWith('Z');
  } catch {
    return false; // ps ends with 1 when there is no such process
  }
}

/** Every process of a server works in its data folder. */
async function hasProcessIn(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const processIds = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.allSettled(processIds.map((processId) => readlink(`/proc/${processId}/cwd`)));
  return folders.some((result) => result.status === 'fulfilled' && result.value === folder);
}

function isTaken(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
