import { cpus } from 'node:os';

/** Time of all CPUs since the kernel began: with something to do, and in all. */
export function readCpuTimes(): { busyMs: number; totalMs: number } {
  const all = cpus().map(({ times }) => times);
  const idleMs = all.reduce((sum, { idle }) => sum + idle, 0);
  const busyMs = all.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0);
  return { busyMs, totalMs: busyMs + idleMs };
}
