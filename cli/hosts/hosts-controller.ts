import { AppError } from '#core/app-error.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { findLocalController, type LocalAccess } from '../controller/controller-access.ts';
import { OwnerClient } from '../controller/owner-client.ts';
import type { ReverseTunnel } from './ssh/ssh-arguments.ts';

/** The Controller that hosts are to join. */
export interface HostsController {
  /** Where hosts may reach it. */
  url: string;
  /** Where this machine reaches it without TLS, whose names a tunnel would not match; null where there is no such way. */
  tunnelTarget: ReverseTunnel | null;
  /** By which tokens are made and revoked; null where one token was given for all hosts. */
  owner: OwnerClient | null;
  /** The same for what is put back at the end: it does not stop when the command is interrupted. */
  lateOwner: OwnerClient | null;
  token: string | null;
}

/** What the options say, else the Controller that this user runs on this machine. Throws `invalid-input`. */
export async function findHostsController(
  { controller, token }: ControllerOptions,
  { homeFolder, signal }: { homeFolder: string; signal: AbortSignal },
): Promise<HostsController> {
  if (controller !== undefined && token !== undefined)
    return { url: controller, tunnelTarget: readTunnelTarget(controller), owner: null, lateOwner: null, token };
  const local = await findLocalController(homeFolder);
  if (controller !== undefined && ![local.url, local.publicUrl].includes(controller))
    throw new AppError(
      'invalid-input',
      `${controller} is not the Controller of this machine: give an agent token for any name by --token or HTTP_AE_TOKEN. "./http-ae token create --agent" there prints one`,
    );
  return toHostsController(local, signal);
}

/** The same for the Controller that this user runs on this machine. */
export function toHostsController(local: LocalAccess, signal: AbortSignal): HostsController {
  return {
    url: local.publicUrl,
    tunnelTarget: readTunnelTarget(local.url),
    owner: new OwnerClient(local, signal),
    lateOwner: new OwnerClient(local, new AbortController().signal),
    token: null,
  };
}

function readTunnelTarget(controllerUrl: string): ReverseTunnel | null {
  const { protocol, hostname, port } = new URL(controllerUrl);
  return protocol === 'http:' ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) } : null;
}
