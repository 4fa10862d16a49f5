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
  /** Whether it was not revoked, as far as the Controller can say now. */
  isValid: () => Promise<boolean>;
}

/** A token by which only the host of this name can join, or the one that was given for all hosts. */
export async function issueHostToken({ owner, lateOwner, token }: HostsController, host: string): Promise<HostToken> {
  const nothing = () => Promise.resolve();
  if (token !== null) return { token, revokeOthers: nothing, revoke: nothing, isValid: () => Promise.resolve(true) };
  const made = await owner!.createToken({ scope: 'agent', name: tokenName, agentName: host });
  return {
    token: made.token,
    revokeOthers: async () => {
      await revokeAll(owner!, host, made.id);
    },
    revoke: () => lateOwner!.revokeToken(made.id),
    isValid: () => isValid(owner!, made.id),
  };
}

async function isValid(owner: OwnerClient, tokenId: string): Promise<boolean> {
  try {
    return (await owner.listTokens()).some(({ id, revokedAt }) => id === tokenId && revokedAt === null);
  } catch (error) {
    if (error instanceof AppError) return true; // the Controller is away
    throw error;
  }
}

/** Revokes the tokens that `hosts up` made for a host. Whether there were some: without one, the host may have joined by a token that others have. */
export function revokeHostTokens(owner: OwnerClient, host: string): Promise<boolean> {
  return revokeAll(owner, host);
}

/** Takes a host off the Controller's list that `hosts up` has added. */
export async function forgetHost(owner: OwnerClient, host: string): Promise<void> {
  try {
    await owner.removeAgent(host);
  } catch (error) {
    // It never connected.
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
  }
}

async function revokeAll(owner: OwnerClient, host: string, except?: string): Promise<boolean> {
  const own = (await owner.listTokens()).filter(
    ({ name, agentName, id, revokedAt }) =>
      name === tokenName && agentName === host && id !== except && revokedAt === null,
  );
  for (const { id } of own) await owner.revokeToken(id);
  return own.length > 0;
}
