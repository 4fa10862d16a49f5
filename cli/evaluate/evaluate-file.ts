import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import { describeGroups } from '#core/comparison/describe-groups.ts';
import { expandDocument } from '#core/evaluation/evaluation-document.ts';
import { checkAssertions } from '../assertions/check-assertions.ts';
import { concludeRun, requireWait, type ConclusionOptions } from '../assertions/conclude-run.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient, ProblemError } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { inlineRateTraces } from '../link/inline-rate-traces.ts';
import { inlineJourneys } from './inline-journeys.ts';
import { describeEstimate } from './describe-estimate.ts';
import { showPlainly } from '../show-plainly.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';

export interface EvaluateOptions extends ControllerOptions, ConclusionOptions {
  estimate?: true;
  label: RunLabels;
  verbose?: true;
}

/** Stores the Evaluation in a YAML file and runs it, or estimates what that would take. Throws `invalid-input`, with every fault's line, and `run-failed`. */
export async function evaluateFile(file: string, options: EvaluateOptions): Promise<void> {
  requireWait(options);
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
  if (options.assert.length > 0) {
    const { scenarios } = expandDocument(document);
    const names = scenarios.map(({ name }) => name);
    checkAssertions(
      options.assert,
      { scenarios: names, ...describeGroups(scenarios) },
      `Evaluation ${id} is stored; no Run was started.`,
    );
  }
  const { id: run } = await client.startRun(id, options.label);
  process.stderr.write(`Run ${run} of "${showPlainly(document.name)}" is queued\n`);
  await concludeRun(client, { run, evaluationName: document.name }, { ...options, signal });
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
