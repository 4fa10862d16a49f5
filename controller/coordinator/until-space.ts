import { findStorageProblem } from '../captures/artefacts/find-storage-problem.ts';
import type { RunContext } from './run-context.ts';

const lookEveryMs = 1000;

/** Resolves at once, or when a full disk has room again and the store of artefacts works. Rejects with the signal's reason when that is aborted. */
export async function untilSpace({
  run,
  disk,
  storeWatch,
  signal,
  notify,
  time,
  log,
}: Pick<RunContext, 'run' | 'disk' | 'storeWatch' | 'signal' | 'notify' | 'time' | 'log'>): Promise<void> {
  const findProblem = () => findStorageProblem({ disk, storeWatch }, run.evaluation);
  const problem = await findProblem();
  if (problem === null) return;
  log.warn({ run: run.id }, `The Run waits. ${problem}`);
  notify();
  do {
    await time.sleep(lookEveryMs, signal);
  } while ((await findProblem()) !== null);
  log.info({ run: run.id }, 'There is room again: the Run continues');
  notify();
}
