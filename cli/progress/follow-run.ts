import { AppError } from '#core/app-error.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { ProgressPrinter, type ProgressStream } from './progress-printer.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';

type RunNews = { kind: 'run'; run: RunDetail } | { kind: 'controller-gone' };

const tryAgainAfterMs = 1_000;

/** Shows a Run to its end, with what scripts printed that failed, and returns its comparison. Throws `run-failed` when it did not complete. */
export async function followRun(
  client: ControllerClient,
  runId: string,
  options: { stream: ProgressStream; signal: AbortSignal; from?: LatencyOrigin | undefined },
): Promise<Comparison> {
  const { stream, signal, from } = options;
  using printer = new ProgressPrinter(stream);
  let isGone = false;
  let end: { state: string; problem: string | null } = { state: 'unknown', problem: null };
  for await (const news of watchRun(client, runId, signal)) {
    if (news.kind === 'controller-gone') {
      if (!isGone)
        printer.say(
          `The Controller at ${client.url} does not answer; trying again (Ctrl-C stops this command, not the Run)`,
        );
      isGone = true;
      continue;
    }
    if (isGone) printer.say('The Controller answers again');
    isGone = false;
    printer.show(news.run);
    end = news.run;
  }
  if (end.state !== 'completed')
    throw new AppError('run-failed', `Run ${runId} ${end.state}: ${end.problem ?? 'it was stopped before its end'}`);
  return await client.readComparison(runId, from);
}

/** What happens in a Run, until it has ended. A Controller that is gone for a while (restarted, say) is waited for. */
export async function* watchRun(client: ControllerClient, runId: string, signal: AbortSignal): AsyncGenerator<RunNews> {
  while (true) {
    try {
      const response = await client.openRunEvents(runId, signal);
      for await (const data of readEventData(response.body!)) {
        const run = RunDetailSchema.parse(JSON.parse(data));
        yield { kind: 'run', run };
        if (!isOpen(run.state)) return;
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

/**
 * The data of each server-sent event; comments and other fields are passed over.
 * HTML Standard, 9.2.6 “Interpreting an event stream”, for lines that end in LF or CRLF.
 */
export async function* readEventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice('data:'.length).replace(/^ /, ''));
      }
    }
  }
}
