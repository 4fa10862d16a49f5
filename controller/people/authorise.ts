import type { Request } from 'express';
import { includesRole, type Role } from '#core/protocol/role.ts';
import { AppError } from '#core/app-error.ts';
import type { Entrance } from './entrance.ts';
import { identify, isAgent, needAgent, personOf, type Identity } from './identify.ts';
import { hasShareSecret, needShare } from './shares.ts';

/**
 * Who may ask for a route. `open`: anybody. `agent`: an Agent. `self`: any signed-in person, for what is their own; no program.
 * A role: who has it or a higher one, by a session or by an API token.
 */
export type Access = 'open' | 'agent' | 'self' | Role;

/** What a route asks of who sends the request. */
export interface Need {
  access: Access;
  /** API tokens are refused: a finder of one must not be able to create access. */
  isForPeople: boolean;
  /** The page of a shared link reads it too, of its own Run: a part of the report of the Run `id`. */
  isShared: boolean;
  /** Agents may, too. */
  isForAgents: boolean;
}

/**
 * The one place that says no. Returns who sends the request; null where nobody needs to say, or an Agent or a shared link does.
 * Throws `not-signed-in`, `token-refused` or `not-allowed`.
 */
export async function authorise(
  entrance: Entrance,
  { access, isForPeople, isShared, isForAgents }: Need,
  request: Request,
): Promise<Identity | null> {
  if (access === 'open') return null;
  if (access === 'agent') {
    await needAgent(entrance.pool, request);
    return null;
  }
  if (isShared && hasShareSecret(request)) {
    const { runId } = await needShare(entrance.pool, request);
    if (request.params.id === runId) return null;
    throw new AppError('not-allowed', `This link opens the Comparison of Run ${runId} only: sign in to see more`);
  }
  if (isForAgents && (await isAgent(entrance.pool, request))) return null;
  const identity = await identify(entrance, request);
  if (isForPeople || access === 'self') personOf(identity);
  if (access !== 'self') needRole(identity.role, access);
  return identity;
}

function needRole(own: Role, needed: Role): void {
  if (includesRole(own, needed)) return;
  throw new AppError(
    'not-allowed',
    `This needs the role "${needed}"; yours is "${own}": ask an admin to change your role under Settings`,
  );
}
