import { createInterface } from 'node:readline/promises';
import { AppError } from '#core/app-error.ts';
import type { RunContents } from '#core/protocol/api/run-contents.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { RunsOptions } from './list-runs.ts';

/** Deletes ended Runs for good. A person at a terminal is asked first, with what would be lost. */
export async function deleteRuns(runIds: readonly string[], { yes, json, ...options }: RunsOptions): Promise<void> {
  if (runIds.length === 0)
    throw new AppError('invalid-input', '"runs delete" needs the ids of Runs: "runs" lists them');
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  if (!yes) {
    for (const id of runIds) process.stderr.write(`Run ${id} has ${describe(await client.readRunContents(id))}\n`);
    await askAtTerminal(signal);
  }
  for (const id of runIds) {
    await client.deleteRun(id);
    if (!json) process.stdout.write(`Deleted Run ${id}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify({ deleted: runIds })}\n`);
}

function describe({ rounds, visits, traces, shares }: RunContents): string {
  return `${rounds} Rounds, ${visits} Visits, ${traces} traces and ${shares} shared links`;
}

/** Throws `invalid-input` where nobody can be asked, and where the answer is not "yes". */
async function askAtTerminal(signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) throw new AppError('invalid-input', 'Nothing was deleted: add --yes to delete it for good');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('This cannot be undone. Type "yes" to delete: ', { signal });
    if (answer.trim() !== 'yes') throw new AppError('invalid-input', 'Nothing was deleted');
  } finally {
    terminal.close();
  }
}
