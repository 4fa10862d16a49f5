import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readCpuTimes } from '#agent/host/measure-load.ts';

/** What kept the machine from measuring while it measured. Null where the system does not say. */
export interface Disturbance {
  /** By how much the latest timer of this process was late. */
  lateMs: number;
  /** Of the time, the share in which something that wanted a core waited for one. */
  waitingShare: number | null;
  /** Of the time of all cores, the share that the host of a virtual machine kept. */
  stolenShare: number | null;
}

/** Below all of these a machine is quiet. A browser that starts has more threads than cores, and lets them wait a while itself. */
export const quietLimits: Disturbance = { lateMs: 50, waitingShare: 0.5, stolenShare: 0.02 };

export function isQuiet(disturbance: Disturbance, limits: Disturbance = quietLimits): boolean {
  return (['lateMs', 'waitingShare', 'stolenShare'] as const).every(
    (kind) => (disturbance[kind] ?? 0) <= (limits[kind] ?? Infinity),
  );
}

export function describeDisturbance({ lateMs, waitingShare, stolenShare }: Disturbance): string {
  const percent = (share: number | null) => (share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`);
  return `timers up to ${lateMs.toFixed(0)} ms late, waiting for a core ${percent(waitingShare)}, stolen ${percent(stolenShare)}`;
}

/** Begins to watch. What it returns ends that, and says how disturbed the time in between was. */
export function watchDisturbance(): () => Disturbance {
  const resolutionMs = 10;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const startedMs = performance.now();
  const waitedBefore = readWaitedMs();
  const cpuBefore = readCpuTimes('/proc');
  return () => {
    delays.disable();
    const waited = readWaitedMs();
    const cpu = readCpuTimes('/proc');
    const elapsedMs = Math.max(1, performance.now() - startedMs);
    const ticks = cpu && cpuBefore ? cpu.totalTicks - cpuBefore.totalTicks : 0;
    return {
      lateMs: Math.max(0, delays.max / 1e6 - resolutionMs),
      waitingShare: waited === null || waitedBefore === null ? null : (waited - waitedBefore) / elapsedMs,
      stolenShare: cpu && cpuBefore ? (cpu.stealTicks - cpuBefore.stealTicks) / Math.max(1, ticks) : null,
    };
  };
}

/** How long something has waited for a core since the start of the machine. https://docs.kernel.org/accounting/psi.html */
function readWaitedMs(): number | null {
  try {
    const total = /^some .*total=(\d+)/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return total === undefined ? null : Number(total) / 1000;
  } catch {
    return null;
  }
}
