import type { z } from 'zod';
import type { NewTokenSchema } from '#core/protocol/api/access.ts';
import type { Queryable } from '../db/queryable.ts';
import { createToken, useToken, type TokenScope } from '../db/tokens.ts';
import { hashSecret, makeSecret } from './secret.ts';

const prefix = 'hae_';

/** Makes a token; the answer is the only time that the token itself is told. */
export async function issueToken(db: Queryable, { name, scope }: { name: string; scope: TokenScope }): Promise<z.infer<typeof NewTokenSchema>> {
  const token = prefix + makeSecret();
  return { ...(await createToken(db, { name, scope, hash: hashSecret(token) })), token };
}

/** The id of a token that was issued for this scope and not revoked, else null. */
export async function verifyToken(db: Queryable, token: string, scope: TokenScope): Promise<string | null> {
  return token.startsWith(prefix) ? useToken(db, { hash: hashSecret(token), scope }) : null;
}
