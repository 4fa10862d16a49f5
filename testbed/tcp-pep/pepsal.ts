import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { countConnections, type CountOptions } from './count-connections.ts';
import { splitPort, startInNode, type SplitProgram } from './split-program.ts';

const giveUpAfterMs = 10_000;

/** Starts PEPsal in a node, and waits until it listens. It counts nothing, so the kernel counts what it is handed. Throws `testbed-failed`. */
export async function startPepsal(enter: Enter, counted: CountOptions): Promise<SplitProgram> {
  await using resources = new AsyncDisposableStack();
  const pepsal = resources.use(startInNode(enter, ['pepsal', '-p', `${splitPort}`]));
  await pepsal.during(waitUntilListening(enter));
  const count = resources.use(await countConnections(enter, counted));
  const remove = resources.move();
  return {
    readCounters: () => pepsal.during(count.read()),
    [Symbol.asyncDispose]: () => remove.disposeAsync(),
  };
}

async function waitUntilListening(enter: Enter): Promise<void> {
  const deadlineMs = performance.now() + giveUpAfterMs;
  const list = ['ss', '--no-header', '--listening', '--tcp', '--numeric', `sport = :${splitPort}`] as const;
  while ((await runIn(enter, ...list)).trim() === '') {
    if (performance.now() > deadlineMs)
      throw new AppError(
        'testbed-failed',
        `pepsal did not listen on port ${splitPort} within ${giveUpAfterMs / 1000} s`,
      );
    await pause(10);
  }
}
