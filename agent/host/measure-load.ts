import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HostLoad, LoadFigure, MeasuredLoad } from '#core/protocol/host-load.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';

/** What is read of a host at one instant; reading it takes a fraction of a millisecond, so that it is done before and after a Pass and never in it. */
export interface LoadReading {
  epochMs: number;
  cpu: CpuTimes | null;
  pressures: Pressures;
}

export function readLoad(procFolder = '/proc'): LoadReading {
  return { epochMs: epochClock(), cpu: readCpuTimes(procFolder), pressures: readPressure(procFolder) };
}

/** How busy this host was since then. */
export function measureLoad(start: LoadReading, procFolder = '/proc'): HostLoad {
  const end = readLoad(procFolder);
  const durationMs = end.epochMs - start.epochMs;
  if (!start.cpu || !end.cpu)
    return { kind: 'absent', reason: `Only Linux shows it in /proc; this host runs ${os.platform()}` };
  if (durationMs <= 0) return { kind: 'absent', reason: 'The Pass took no time' };
  return {
    kind: 'measured',
    durationMs,
    cpuCount: Math.max(1, os.cpus().length),
    figures: { ...compareCpuTimes(start.cpu, end.cpu), ...comparePressures(start, end), ...readLevels(procFolder) },
  };
}

type Figures = MeasuredLoad['figures'];

function compareCpuTimes(start: CpuTimes, end: CpuTimes): Pick<Figures, 'busyRatio' | 'stealRatio'> {
  const ticks = end.totalTicks - start.totalTicks;
  if (ticks <= 0) {
    const absent: LoadFigure = { kind: 'absent', reason: 'The Pass was shorter than the kernel counts' };
    return { busyRatio: absent, stealRatio: absent };
  }
  return {
    busyRatio: measured((end.busyTicks - start.busyTicks) / ticks),
    stealRatio: measured((end.stealTicks - start.stealTicks) / ticks),
  };
}

function comparePressures(
  start: LoadReading,
  end: LoadReading,
): Pick<Figures, 'cpuPressureRatio' | 'memoryPressureRatio' | 'ioPressureRatio'> {
  const ratioOf = (resource: keyof Pressures): LoadFigure => {
    const [before, after] = [start.pressures[resource], end.pressures[resource]];
    if (before === null || after === null)
      return { kind: 'absent', reason: 'This kernel keeps no pressure stall information (PSI)' };
    return measured((after - before) / 1000 / (end.epochMs - start.epochMs));
  };
  return { cpuPressureRatio: ratioOf('cpu'), memoryPressureRatio: ratioOf('memory'), ioPressureRatio: ratioOf('io') };
}

function readLevels(procFolder: string): Pick<Figures, 'loadAverage' | 'memoryAvailableBytes'> {
  const loadAverage = /^[\d.]+/.exec(readProcFile(path.join(procFolder, 'loadavg')) ?? '')?.[0];
  const availableKib = /^MemAvailable: +(\d+) kB$/m.exec(readProcFile(path.join(procFolder, 'meminfo')) ?? '')?.[1];
  return {
    loadAverage:
      loadAverage === undefined
        ? { kind: 'absent', reason: 'This kernel shows no load average' }
        : measured(Number(loadAverage)),
    memoryAvailableBytes:
      availableKib === undefined
        ? { kind: 'absent', reason: 'This kernel does not show how much memory is available' }
        : measured(1024 * Number(availableKib)),
  };
}

/** Counters of CPUs that idle may step back a little. */
function measured(value: number): LoadFigure {
  return { kind: 'measured', value: Math.max(0, value) };
}

/** For how long in all, in µs, some program waited for each; null where the kernel does not say. */
interface Pressures {
  cpu: number | null;
  memory: number | null;
  io: number | null;
}

/** Pressure stall information: https://docs.kernel.org/accounting/psi.html */
function readPressure(procFolder: string): Pressures {
  const read = (resource: string) => readSome(path.join(procFolder, 'pressure', resource));
  return { cpu: read('cpu'), memory: read('memory'), io: read('io') };
}

function readSome(file: string): number | null {
  const total = /^some .* total=(\d+)$/m.exec(readProcFile(file) ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

/** Of all CPUs together since the start of the machine, in ticks. https://man7.org/linux/man-pages/man5/proc_stat.5.html */
interface CpuTimes {
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

/** What a file of `/proc` holds; null where this kernel or container does not show it, and where its process has ended. Pressure that is switched off refuses to be read. */
export function readProcFile(file: string): string | null {
  return unlessHidden(() => readFileSync(file, 'utf8'));
}

/** The names in a folder of `/proc`; none where it is not shown, or its process has ended. */
export function listProcFolder(folder: string): string[] {
  return unlessHidden(() => readdirSync(folder)) ?? [];
}

function unlessHidden<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
}
