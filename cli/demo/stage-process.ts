import { once } from 'node:events';
import { AppError } from '#core/app-error.ts';
import { watchParent } from '../agent/watch-parent.ts';
import { createLog } from '../create-log.ts';
import { untilAborted } from '../watch-interrupts.ts';
import { openStageOverLink } from './open-stage-over-link.ts';
import { StageOrderSchema, type StageReport } from './stage-messages.ts';

/** The stage of a demo whose user is not root, as a process in a user namespace. It lasts until the demo is gone. */
async function main(): Promise<void> {
  using parent = watchParent();
  // Ctrl-C reaches the whole group of a terminal: the demo decides when this ends.
  process.on('SIGINT', () => undefined);
  const [message] = (await once(process, 'message')) as [unknown];
  const order = StageOrderSchema.parse(message);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  try {
    await using stage = await openStageOverLink(
      { ...order, say, log: createLog(order.isVerbose ? 'debug' : 'warn') },
      'namespaces',
    );
    report({ kind: 'ready', evaluationYaml: stage.evaluationYaml });
    await untilAborted(AbortSignal.any([parent.signal, stage.failed]));
    stage.failed.throwIfAborted();
  } catch (error) {
    if (!parent.signal.aborted)
      report({
        kind: 'failed',
        code: error instanceof AppError ? error.code : 'internal',
        problem: (error as Error).message,
      });
  }
  if (process.connected) process.disconnect();
}

function report(message: StageReport): void {
  process.send!(message);
}

await main();
