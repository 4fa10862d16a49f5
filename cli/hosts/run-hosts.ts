import { assertNever } from '#core/assert-never.ts';
import { AppError } from '#core/app-error.ts';
import { findHome } from '../find-home.ts';
import { showPlainly } from '../show-plainly.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { HostsAction, HostsOptions } from './hosts-options.ts';
import { readInventory } from './inventory/read-inventory.ts';
import { runHostsDown } from './run-hosts-down.ts';
import { runHostsStatus } from './run-hosts-status.ts';
import { runHostsUp } from './run-hosts-up.ts';

/** Throws `invalid-input` before any host is touched, and `agent-missing` after all of them when one has failed. */
export async function runHosts(action: HostsAction, options: HostsOptions): Promise<void> {
  if (action !== 'up' && (options.service || options.tunnel))
    throw new AppError('invalid-input', '--service and --tunnel are for "hosts up"');
  if (options.service && options.tunnel)
    throw new AppError('invalid-input', 'A tunnel ends with this command, and a service does not: leave out one');
  using interrupts = watchInterrupts();
  const hosts = await readInventory(options.inventory, options.limit);
  const order = {
    hosts,
    options,
    homeFolder: findHome(process.env),
    signal: interrupts.signal,
    sayOf: (host: string, line: string) => void process.stderr.write(`${showPlainly(`${host}: ${line}`)}\n`),
  };
  switch (action) {
    case 'up':
      await runHostsUp(order);
      break;
    case 'status':
      await runHostsStatus(order);
      break;
    case 'down':
      await runHostsDown(order);
      break;
    default:
      return assertNever(action);
  }
}
