import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { formatRuns } from './format-runs.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';

export interface RunsOptions extends ControllerOptions {
  limit: number;
  json?: true;
  yes?: true;
  verbose?: true;
}

/** Prints the newest Runs, without those that only tried a URL. */
export async function listRuns({ limit, json, ...options }: RunsOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const client = new ControllerClient(await findController(options, findHome(process.env)), interrupts.signal);
  const runs = (await client.listRuns({ withTries: false })).slice(0, limit);
  process.stdout.write(json ? `${JSON.stringify(runs)}\n` : `${formatRuns(runs).join('\n')}\n`);
}
