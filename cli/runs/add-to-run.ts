import { AppError } from '#core/app-error.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import { concludeRun, requireWait, type ConclusionOptions } from '../assertions/conclude-run.ts';
import { checkAssertions } from '../assertions/judge-assertion.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../installation.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';

export interface ContinueOptions extends ControllerOptions, ConclusionOptions {
  verbose?: true;
}

export interface AgainOptions extends ContinueOptions {
  label: RunLabels;
}

/** Adds Rounds of each Scenario to a completed Run; without a number, as many as the Controller proposes. */
export async function addRounds(run: string, rounds: number | undefined, options: ContinueOptions): Promise<void> {
  await goOn(run, options, async (client) => {
    const number = rounds ?? (await proposeRounds(client, run));
    const { id, evaluationName } = await client.addRounds(run, number);
    const count = `${number} ${number === 1 ? 'Round' : 'Rounds'} of each Scenario`;
    process.stderr.write(`Added ${count} to Run ${id} of "${showPlainly(evaluationName)}"\n`);
    return { run: id, evaluationName };
  });
}

/** Starts a Run of the same configuration as another. */
export async function runAgain(run: string, options: AgainOptions): Promise<void> {
  await goOn(run, options, async (client) => {
    const { id, evaluationName } = await client.repeatRun(run, options.label);
    process.stderr.write(`Run ${id} of "${showPlainly(evaluationName)}" is queued\n`);
    return { run: id, evaluationName };
  });
}

async function proposeRounds(client: ControllerClient, run: string): Promise<number> {
  const { refusal, rounds } = await client.proposeRounds(run);
  if (refusal !== null) throw new AppError('invalid-input', `Run ${run}: ${showPlainly(refusal)}`);
  return rounds;
}

/** Orders a Run, or more of it, and where that is wanted waits for its end. */
async function goOn(
  run: string,
  options: ContinueOptions,
  order: (client: ControllerClient) => Promise<{ run: string; evaluationName: string }>,
): Promise<void> {
  await requireWait(options);
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  if (options.assert.length > 0)
    checkAssertions(options.assert, await client.readComparison(run), 'Nothing was ordered.');
  await concludeRun(client, await order(client), { ...options, signal });
}
