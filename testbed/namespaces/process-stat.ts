import { readFileSync } from 'node:fs';

/** What the kernel says of a process (proc(5)). */
export interface ProcessStat {
  state: string;
  /** When it started, in clock ticks since the machine did. */
  startTicks: number;
  /** What it used of all CPUs, in itself and in the kernel. */
  cpuSeconds: number;
}

/** Linux shows times to programs in ticks of this length, on all its machines. */
const ticksPerSecond = 100;

/** Null when there is no such process. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything: counted is after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpuTicks = Number(fields[11]) + Number(fields[12]);
    return { state: fields[0]!, startTicks: Number(fields[19]), cpuSeconds: cpuTicks / ticksPerSecond };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
