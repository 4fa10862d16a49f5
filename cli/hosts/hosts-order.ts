import { AppError } from '#core/app-error.ts';
import type { HostsOptions } from './hosts-options.ts';
import type { SshHost } from './inventory/ssh-host.ts';

/** What is to be done at which hosts. */
export interface HostsOrder {
  hosts: SshHost[];
  options: HostsOptions;
  homeFolder: string;
  signal: AbortSignal;
  /** Prints a line of a host. */
  sayOf: (host: string, line: string) => void;
}

/** Throws `agent-missing` that names the hosts that failed, if any, in the order of the inventory. */
export function failIfAny(failed: Iterable<string>, hosts: readonly SshHost[]): void {
  const isFailed = new Set(failed);
  const names = hosts.map(({ name }) => name).filter((name) => isFailed.has(name));
  if (names.length === 0) return;
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '');
  throw new AppError(
    'agent-missing',
    `${names.length} of ${hosts.length} hosts failed, for the reasons above: ${shown}`,
  );
}
