import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { printResult } from '../comparison/print-result.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient, ProblemError } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { inlineRateTraces } from '../link/inline-rate-traces.ts';
import { inlineJourneys } from './inline-journeys.ts';
import { describeEstimate } from './describe-estimate.ts';
import { followRun } from '../progress/follow-run.ts';
import { showPlainly } from '../show-plainly.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';

export interface EvaluateOptions extends ControllerOptions {
  wait?: true;
  estimate?: true;
  label: RunLabels;
  json?: true;
  from?: LatencyOrigin;
  verbose?: true;
}

/** Stores the Evaluation in a YAML file and runs it, or estimates what that would take. Throws `invalid-input`, with every fault's line, and `run-failed`. */
export async function evaluateFile(file: string, options: EvaluateOptions): Promise<void> {
  if (options.from !== undefined && !options.wait)
    throw new AppError('invalid-input', '--from needs --wait: only the comparison has latencies');
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const yaml = await inlineJourneys(await inlineRateTraces(await readEvaluation(file), file), file);
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  if (options.estimate) {
    const estimate = await explainFaults(() => client.estimateRun(yaml), file);
    process.stdout.write(options.json ? `${JSON.stringify(estimate)}\n` : `${describeEstimate(estimate)}\n`);
    return;
  }
  const { id, document } = await explainFaults(() => client.createEvaluation(yaml), file);
  const { id: run } = await client.startRun(id, options.label);
  process.stderr.write(`Run ${run} of "${showPlainly(document.name)}" is queued\n`);

  const reportUrl = client.reportUrl(run);
  const isJson = options.json === true;
  const comparison =
    options.wait && (await followRun(client, run, { stream: process.stderr, signal, from: options.from }));
  printResult({ run, reportUrl, ...(comparison && { comparison }) }, { isJson });
}

async function readEvaluation(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `${file} cannot be read (${(cause as Error).message}): name a YAML file with an Evaluation`,
      { cause },
    );
  }
}

/** Asks the Controller; lists each fault of the Evaluation with its place in the file. */
async function explainFaults<T>(ask: () => Promise<T>, file: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.issues.length === 0) throw error;
    const faults = error.problem.issues.map(({ line, path, message }) =>
      [`${file}${line === null ? '' : `:${line}`}`, path, showPlainly(message)].filter(Boolean).join(': '),
    );
    throw new AppError('invalid-input', `${faults.join('\n')}\nNothing was stored.`, { cause: error });
  }
}
