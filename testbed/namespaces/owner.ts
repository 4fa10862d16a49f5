import { readProcessStat } from './process-stat.ts';

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
  const stat = readProcessStat(pid);
  return stat === null || ['Z', 'X'].includes(stat.state) ? null : stat.startTicks;
}
