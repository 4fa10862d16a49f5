import { readFileSync } from 'node:fs';

/** A process, distinct from others that had or will have its id. */
export interface Owner {
  pid: number;
  /** When it started, in clock ticks since the machine did. */
  startTicks: number;
}

export function readOwnProcess(): Owner {
  const own = readProcess(process.pid);
  if (own === null) throw new Error('/proc does not show this process');
  return own;
}

/** Null when there is no such process. */
export function readProcess(pid: number): Owner | null {
  const startTicks = readStartTicks(pid);
  return startTicks === null ? null : { pid, startTicks };
}

export function isAlive({ pid, startTicks }: Owner): boolean {
  return readStartTicks(pid) === startTicks;
}

/** Null when there is no such process, or only what is left of it for its parent to read. */
function readStartTicks(pid: number): number | null {
  const stat = readStat(pid);
  // The name in brackets may hold anything; the state is the first field after it, the start the 20th (proc(5)).
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? null : Number(fields[19]);
}

function readStat(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
