import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { EvaluateOptions } from '../commands/evaluate.ts';
import { printResult } from '../comparison/print-result.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient, ProblemError } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { followRun } from '../progress/follow-run.ts';
import { showPlainly } from '../show-plainly.ts';
import { watchInterrupts } from '../watch-interrupts.ts';

/** Stores the Evaluation in a YAML file and runs it. Throws `invalid-input`, with every fault's line, and `run-failed`. */
export async function evaluateFile(file: string, options: EvaluateOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const yaml = await readEvaluation(file);
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  const { id, document } = await store(client, { file, yaml });
  const { id: run } = await client.startRun(id);
  process.stderr.write(`Run ${run} of "${showPlainly(document.name)}" was ordered\n`);

  const reportUrl = client.reportUrl(run);
  const isJson = options.json === true;
  const comparison = options.wait && (await followRun(client, run, { stream: process.stderr, signal }));
  printResult({ run, reportUrl, ...(comparison && { comparison }) }, { isJson });
}

async function readEvaluation(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be read (${(cause as Error).message}): name a YAML file that holds an Evaluation`, { cause });
  }
}

async function store(client: ControllerClient, { file, yaml }: { file: string; yaml: string }) {
  try {
    return await client.createEvaluation(yaml);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.issues.length === 0) throw error;
    const faults = error.problem.issues.map(({ line, path, message }) => [`${file}${line === null ? '' : `:${line}`}`, path, showPlainly(message)].filter(Boolean).join(': '));
    throw new AppError('invalid-input', `${faults.join('\n')}\nNothing was stored.`, { cause: error });
  }
}
