import { AppError } from '#core/app-error.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { printResult } from '../comparison/print-result.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { followRun } from '../progress/follow-run.ts';
import { showPlainly } from '../show-plainly.ts';
import { watchInterrupts } from '../watch-interrupts.ts';

export interface ContinueOptions extends ControllerOptions {
  wait?: true;
  json?: true;
  from?: LatencyOrigin;
  verbose?: true;
}

/** Adds Rounds of each Scenario to a completed Run; without a number, as many as the Controller proposes. */
export async function addRounds(run: string, rounds: number | undefined, options: ContinueOptions): Promise<void> {
  await goOn(options, async (client) => {
    const number = rounds ?? (await proposeRounds(client, run));
    const { id, evaluationName } = await client.addRounds(run, number);
    const count = `${number} ${number === 1 ? 'Round' : 'Rounds'} of each Scenario`;
    process.stderr.write(`Added ${count} to Run ${id} of "${showPlainly(evaluationName)}"\n`);
    return id;
  });
}

/** Starts a Run of the same configuration as another. */
export async function runAgain(run: string, options: ContinueOptions): Promise<void> {
  await goOn(options, async (client) => {
    const { id, evaluationName } = await client.repeatRun(run);
    process.stderr.write(`Run ${id} of "${showPlainly(evaluationName)}" is queued\n`);
    return id;
  });
}

async function proposeRounds(client: ControllerClient, run: string): Promise<number> {
  const { refusal, rounds } = await client.proposeRounds(run);
  if (refusal !== null) throw new AppError('invalid-input', `Run ${run}: ${showPlainly(refusal)}`);
  return rounds;
}

/** Orders a Run and, where that is wanted, waits for its end. */
async function goOn(
  { wait, json, from, ...access }: ContinueOptions,
  order: (client: ControllerClient) => Promise<string>,
): Promise<void> {
  if (from !== undefined && !wait)
    throw new AppError('invalid-input', '--from needs --wait: only the comparison has latencies');
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const client = new ControllerClient(await findController(access, findHome(process.env)), signal);
  const run = await order(client);
  const comparison = wait && (await followRun(client, run, { stream: process.stderr, signal, from }));
  printResult({ run, reportUrl: client.reportUrl(run), ...(comparison && { comparison }) }, { isJson: json === true });
}
