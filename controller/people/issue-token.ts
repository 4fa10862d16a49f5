import type { z } from 'zod';
import type { Role } from '#core/access/role.ts';
import type { NewTokenSchema } from '#core/protocol/api/access.ts';
import type { Queryable } from '../database/queryable.ts';
import { createToken, useToken, type FoundToken, type TokenMaker, type TokenScope } from './tokens.ts';
import { hashSecret, makeSecret } from './secret.ts';

const prefix = 'hae_';

interface TokenOrder {
  name: string;
  scope: TokenScope;
  /** Of an API token: "evaluator" by default. */
  role?: Role;
  /** Of an Agent token: the one Agent that may join by it; any by default. */
  agentName?: string | null;
  /** Who requested it; nobody where the Controller makes one for itself. */
  maker?: TokenMaker;
}

/** Makes a token; only this answer contains the token itself. */
export async function issueToken(
  db: Queryable,
  { name, scope, role = 'evaluator', agentName = null, maker }: TokenOrder,
): Promise<z.infer<typeof NewTokenSchema>> {
  const token = prefix + makeSecret();
  const made = {
    name,
    scope,
    role: scope === 'api' ? role : null,
    agentName,
    maker: maker ?? null,
    hash: hashSecret(token),
  };
  return { ...(await createToken(db, made)), token };
}

/** A token that was issued for this scope and not revoked, else null. */
export async function verifyToken(db: Queryable, token: string, scope: TokenScope): Promise<FoundToken | null> {
  return token.startsWith(prefix) ? useToken(db, { hash: hashSecret(token), scope }) : null;
}
