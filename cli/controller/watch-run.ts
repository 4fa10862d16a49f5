import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import type { ControllerClient } from './controller-client.ts';
import { hasEnded } from './has-ended.ts';
import { readEventData } from './read-event-data.ts';

export type RunNews = { kind: 'run'; run: RunDetail } | { kind: 'controller-gone' };

const tryAgainAfterMs = 1_000;

/** What happens in a Run, until it has ended. A Controller that is gone for a while (restarted, say) is waited for. */
export async function* watchRun(client: ControllerClient, runId: string, signal: AbortSignal): AsyncGenerator<RunNews> {
  while (true) {
    try {
      const response = await client.openRunEvents(runId, signal);
      for await (const data of readEventData(response.body!)) {
        const run = RunDetailSchema.parse(JSON.parse(data));
        yield { kind: 'run', run };
        if (hasEnded(run)) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isInterruption(error)) throw error;
    }
    yield { kind: 'controller-gone' };
    await pause(tryAgainAfterMs, undefined, { signal });
  }
}

/** Whether the connection to the Controller broke, which may recover. `fetch` throws a TypeError then. */
function isInterruption(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    (error instanceof AppError && ['controller-unreachable', 'database-unreachable'].includes(error.code))
  );
}
