import { AppError } from '#core/app-error.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { watchRun } from '../controller/watch-run.ts';
import { ProgressPrinter, type ProgressStream } from './progress-printer.ts';

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
