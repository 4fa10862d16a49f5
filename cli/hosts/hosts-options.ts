import type { ControllerOptions } from '../commands/controller-options.ts';

export const hostsActions = ['up', 'status', 'down'] as const;
export type HostsAction = (typeof hostsActions)[number];

export interface HostsOptions extends ControllerOptions {
  inventory: string;
  limit?: string;
  service?: true;
  tunnel?: true;
  parallel: number;
  json?: true;
  verbose?: true;
}
