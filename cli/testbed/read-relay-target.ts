import { AppError } from '#core/app-error.ts';
import type { RelayTarget } from './relay-connections.ts';

/** Where a Controller is. Throws `invalid-input` when it speaks https, which cannot be handed on under another address. */
export function readRelayTarget(controllerUrl: string): RelayTarget {
  const { protocol, hostname, port } = new URL(controllerUrl);
  if (protocol !== 'http:')
    throw new AppError(
      'invalid-input',
      `--controller ${controllerUrl}: a testbed joins over http only: give an http address of the Controller on this machine or in its network`,
    );
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}
