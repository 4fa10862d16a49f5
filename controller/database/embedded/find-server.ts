import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What works in a data folder: `ending` are the last processes of a server whose main process is gone. */
export type FoundServer = { kind: 'none' } | { kind: 'running'; processId: number } | { kind: 'ending' };

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
