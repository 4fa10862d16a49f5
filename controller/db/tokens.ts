import type { z } from 'zod';
import type { TokenScopeSchema, TokenSummary } from '#core/protocol/api/access.ts';
import type { Queryable } from './queryable.ts';

export type TokenScope = z.infer<typeof TokenScopeSchema>;

interface TokenRow {
  id: string;
  name: string;
  scope: TokenScope;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const columns = 'id, name, scope, created_at, last_used_at, revoked_at';

/** All tokens, revoked ones too, the newest first. */
export async function listTokens(db: Queryable): Promise<TokenSummary[]> {
  const { rows } = await db.query<TokenRow>(`select ${columns} from token order by id desc`);
  return rows.map(toTokenSummary);
}

export async function createToken(db: Queryable, token: { name: string; scope: TokenScope; hash: Buffer }): Promise<TokenSummary> {
  const { rows } = await db.query<TokenRow>(`insert into token (name, scope, token_hash) values ($1, $2, $3) returning ${columns}`, [
    token.name,
    token.scope,
    token.hash,
  ]);
  return toTokenSummary(rows[0]!);
}

/** False when there is no such token; a second time changes nothing. */
export async function revokeToken(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('update token set revoked_at = coalesce(revoked_at, now()) where id = $1', [id]);
  return rowCount === 1;
}

/** The id of a token that is valid in this scope, else null. Its last use is noted to the minute, so that reading stays cheap. */
export async function useToken(db: Queryable, token: { hash: Buffer; scope: TokenScope }): Promise<string | null> {
  const { rows } = await db.query<{ id: string; is_stale: boolean }>(
    `select id, last_used_at is null or last_used_at < now() - interval '1 minute' as is_stale
     from token where token_hash = $1 and scope = $2 and revoked_at is null`,
    [token.hash, token.scope],
  );
  const found = rows[0];
  if (!found) return null;
  if (found.is_stale) await db.query('update token set last_used_at = now() where id = $1', [found.id]);
  return found.id;
}

function toTokenSummary(row: TokenRow): TokenSummary {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

/** Null when there is no such token. */
export async function findTokenName(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>('select name from token where id = $1', [id]);
  return rows[0]?.name ?? null;
}
