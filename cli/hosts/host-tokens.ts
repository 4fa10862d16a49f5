import { AppError } from '#core/app-error.ts';
import type { OwnerClient } from '../controller/owner-client.ts';
import type { HostsController } from './hosts-controller.ts';

/** The name of tokens that `hosts up` makes, in lists of tokens. Each admits one host. */
const tokenName = './http-ae hosts up';

export interface HostToken {
  token: string;
  /** Revokes those of earlier starts for this host. */
  revokeOthers: () => Promise<void>;
  revoke: () => Promise<void>;
}

/** A token by which only the host of this name can join, or the one that was given for all hosts. */
export async function issueHostToken({ owner, token }: HostsController, host: string): Promise<HostToken> {
  const nothing = () => Promise.resolve();
  if (token !== null) return { token, revokeOthers: nothing, revoke: nothing };
  const made = await owner!.createToken({ scope: 'agent', name: tokenName, agentName: host });
  return {
    token: made.token,
    revokeOthers: async () => {
      await revokeAll(owner!, host, made.id);
    },
    revoke: () => owner!.revokeToken(made.id),
  };
}

/** Takes a host off the Controller's list, if `hosts up` has added it, and revokes its tokens. */
export async function forgetHost(owner: OwnerClient, host: string): Promise<void> {
  if (!(await revokeAll(owner, host))) return;
  try {
    await owner.removeAgent(host);
  } catch (error) {
    // It never connected.
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
  }
}

async function revokeAll(owner: OwnerClient, host: string, except?: string): Promise<boolean> {
  const own = (await owner.listTokens()).filter(
    ({ name, agentName, id }) => name === tokenName && agentName === host && id !== except,
  );
  for (const { id, revokedAt } of own) if (revokedAt === null) await owner.revokeToken(id);
  return own.length > 0;
}
