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

/** Throws `agent-missing` that names the hosts that failed, if any. */
export function failIfAny(failed: string[], hostCount: number): void {
  if (failed.length === 0) return;
  const names = failed.slice(0, 20).join(', ') + (failed.length > 20 ? ', …' : '');
  throw new AppError('agent-missing', `${failed.length} of ${hostCount} hosts failed, for the reasons above: ${names}`);
}
