import { setTimeout as pause } from 'node:timers/promises';
import type { RunContext } from './run-context.ts';

const lookEveryMs = 1000;

/** Resolves at once, or when a full disk has room again. Rejects with the signal's reason when that is aborted. */
export async function untilSpace({
  run,
  disk,
  signal,
  notify,
  log,
}: Pick<RunContext, 'run' | 'disk' | 'signal' | 'notify' | 'log'>): Promise<void> {
  const problem = await disk.findProblem();
  if (problem === null) return;
  log.warn({ run: run.id }, `The Run waits. ${problem}`);
  notify();
  do {
    try {
      await pause(lookEveryMs, undefined, { signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  } while ((await disk.findProblem()) !== null);
  log.info({ run: run.id }, 'The disk has free space again: the Run continues');
  notify();
}
