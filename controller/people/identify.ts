import type { Request } from 'express';
import type { Role } from '#core/protocol/role.ts';
import { AppError } from '#core/app-error.ts';
import type { Queryable } from '../database/queryable.ts';
import { findSession, readSessionHash, type FoundSession } from './sessions.ts';
import { type FoundToken, verifyToken } from './tokens.ts';
import type { Entrance } from './entrance.ts';
import { isSameSecret } from './secret.ts';

/** Who sends a request, and what they may do. */
export type Identity = SessionIdentity | OwnerIdentity | { kind: 'token'; role: Role; token: FoundToken };

export interface SessionIdentity {
  kind: 'session';
  role: Role;
  session: FoundSession;
}

/** The OS user who runs the Controller, on its machine: whose database this is may do everything. */
export interface OwnerIdentity {
  kind: 'owner';
  role: Role;
}

const readingMethods = new Set(['GET', 'HEAD']);

/**
 * Identifies the sender of a request: a program by its bearer token, a browser by its session cookie. A browser also sends
 * its cookie when a foreign page caused the request, so a request that changes something must carry the session's token too.
 * Throws `token-refused`, `not-signed-in` or `not-allowed`.
 */
export async function identify(entrance: Entrance, request: Request): Promise<Identity> {
  if (request.headers.authorization !== undefined) return identifyByToken(entrance, request);

  const hash = readSessionHash(request, entrance);
  const session = hash && (await findSession(entrance.pool, hash));
  if (!session) {
    throw new AppError(
      'not-signed-in',
      'You are not signed in: sign in, or send an API token as "Authorization: Bearer TOKEN"',
    );
  }
  if (!readingMethods.has(request.method) && !isSameSecret(request.get('x-csrf-token') ?? '', session.csrfToken)) {
    throw new AppError(
      'not-allowed',
      'The request lacks the session’s token in the header x-csrf-token: reload the page and try again',
    );
  }
  return { kind: 'session', role: session.role, session };
}

/** Throws `not-allowed` for a program: a finder of a token must not be able to create access. */
export function personOf(identity: Identity | null): SessionIdentity | OwnerIdentity {
  return identity?.kind === 'owner' ? identity : sessionOf(identity);
}

/** Throws `not-allowed` where nobody is signed in. */
export function sessionOf(identity: Identity | null): SessionIdentity {
  if (identity?.kind === 'session') return identity;
  throw new AppError('not-allowed', 'An API token cannot do this: sign in to the web UI');
}

/** The id of the token of an Agent. Throws `token-refused` for who is none. */
export async function needAgent(db: Queryable, request: Request): Promise<string> {
  const found = await findAgentToken(db, request);
  if (found === null) {
    throw new AppError(
      'token-refused',
      'Only an Agent can do this: its token in "Authorization: Bearer TOKEN" is missing, unknown, revoked or of another scope',
    );
  }
  return found.id;
}

export async function isAgent(db: Queryable, request: Request): Promise<boolean> {
  return (await findAgentToken(db, request)) !== null;
}

async function findAgentToken(db: Queryable, request: Request): Promise<FoundToken | null> {
  const token = readBearer(request);
  return token === undefined ? null : verifyToken(db, token, 'agent');
}

async function identifyByToken({ pool, ownerToken }: Entrance, request: Request): Promise<Identity> {
  const secret = readBearer(request);
  if (secret && ownerToken !== null && isSameSecret(secret, ownerToken)) return { kind: 'owner', role: 'admin' };
  const token = secret ? await verifyToken(pool, secret, 'api') : null;
  if (!token?.role) {
    throw new AppError(
      'token-refused',
      'The API token is unknown, revoked or for Agents: create one of scope "api" in the web UI',
    );
  }
  return { kind: 'token', role: token.role, token };
}

/** The secret of `Authorization: Bearer SECRET`; undefined where there is none. */
export function readBearer({ headers }: Pick<Request, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** How records name who has no account. An account of such a name would answer for others. */
const nameWithoutAccount =
  /^(a person with a one-time link|the OS user of the Controller|retention setting|API token ".*")$/i;

/** Whether an account may have this name. */
export function isNameOfAccount(name: string): boolean {
  return !nameWithoutAccount.test(name);
}

/** Who did something, as records name them. */
export function nameIdentity(identity: Identity | null): string {
  switch (identity?.kind) {
    case 'session':
      return identity.session.evaluatorName ?? 'a person with a one-time link';
    case 'token':
      return `API token "${identity.token.name}"`;
    case 'owner':
      return 'the OS user of the Controller';
    case undefined:
      throw new Error('An open route has no identity');
  }
}
