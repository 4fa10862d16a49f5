import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

const lookEveryMs = 10;
/** Of the kernel's clock for CPU time, as /proc reports it: USER_HZ, 100 on every Linux of today. */
const tickMs = 10;

export interface MeasuredRun {
  elapsedMs: number;
  cpuMs: number;
  /** The most memory that it held. */
  peakBytes: number;
}

/** Runs a program to its end without showing its output. CPU time and memory are as last seen before its end, at most some 10 ms earlier. */
export async function runMeasured(command: readonly string[]): Promise<MeasuredRun> {
  const [program, ...args] = command;
  const startMs = performance.now();
  const child = spawn(program!, args, { stdio: 'ignore' });
  const exited = once(child, 'exit').then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    elapsedMs: performance.now() - startMs,
  }));
  let cpuMs = 0;
  let peakBytes = 0;
  let result: Awaited<typeof exited> | null = null;
  while (result === null) {
    // It may just have ended: then there is nothing to read.
    const [status, statistics] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${child.pid!}/${name}`, 'utf8').catch(() => '')),
    );
    peakBytes = Math.max(peakBytes, 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(status!)?.[1] ?? 0));
    const [userTicks, systemTicks] = statistics!
      .slice(statistics!.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    cpuMs = Math.max(cpuMs, tickMs * (Number(userTicks ?? 0) + Number(systemTicks ?? 0)));
    result = await Promise.race([exited, new Promise<null>((resolve) => setTimeout(resolve, lookEveryMs, null))]);
  }
  if (result.exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${result.exitCode ?? 'a signal'}`);
  return { elapsedMs: result.elapsedMs, cpuMs, peakBytes };
}
