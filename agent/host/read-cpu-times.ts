import path from 'node:path';
import { readProcFile } from './read-proc-file.ts';

/** Of all CPUs together since the start of the machine, in ticks. https://man7.org/linux/man-pages/man5/proc_stat.5.html */
export interface CpuTimes {
  /** With that of virtual machines, which the kernel counts as user time too. */
  busyTicks: number;
  stealTicks: number;
  totalTicks: number;
}

/** Null where there is no `/proc/stat`. */
export function readCpuTimes(procFolder: string): CpuTimes | null {
  const text = readProcFile(path.join(procFolder, 'stat'));
  if (text === null) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = text
    .slice(0, text.indexOf('\n'))
    .trim()
    .split(/ +/)
    .slice(1)
    .map(Number);
  const busyTicks = user + nice + system + irq + softirq;
  return { busyTicks, stealTicks: steal, totalTicks: busyTicks + idle + iowait + steal };
}
