import { AppError } from '#core/app-error.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import type { ControllerAccess } from '../controller/controller-access.ts';
import { ProgressPrinter, type ProgressStream } from './progress-printer.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';

type RunNews = { kind: 'run'; run: RunDetail } | { kind: 'controller-gone' };

interface FollowOptions {
  stream: ProgressStream;
  signal: AbortSignal;
  from?: LatencyOrigin | undefined;
}

const tryAgainAfterMs = 1_000;
/** For the hosts of a Run that is stopped to be put back. */
const stopWithinMs = 20_000;

/** Shows a Run to its end, with what scripts printed that failed, and returns its comparison. Throws `run-failed` when it did not complete. */
export async function followRun(
  client: ControllerClient,
  runId: string,
  { stream, signal, from }: FollowOptions,
): Promise<Comparison> {
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

/** The same of a Run whose hosts end with this command: what breaks it off stops the Run, too. Else others would wait for it. */
export async function followOwnRun(
  access: ControllerAccess,
  runId: string,
  options: FollowOptions,
): Promise<Comparison> {
  try {
    return await followRun(new ControllerClient(access, options.signal), runId, options);
  } catch (error) {
    await stopOpenRun(access, runId, options.stream).catch((reason: unknown) =>
      options.stream.write(`Run ${runId} was not stopped: ${(reason as Error).message}\n`),
    );
    throw error;
  }
}

async function stopOpenRun(access: ControllerAccess, runId: string, stream: ProgressStream): Promise<void> {
  const signal = AbortSignal.timeout(stopWithinMs);
  const client = new ControllerClient(access, signal);
  if (!isOpen((await client.readRun(runId)).state)) return;
  stream.write(`Stopping Run ${runId}; press Ctrl-C again to end at once\n`);
  await client.stopRun(runId);
  for await (const news of watchRun(client, runId, signal)) if (news.kind === 'controller-gone') return;
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
