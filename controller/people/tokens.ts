import type { z } from 'zod';
import type { Role } from '#core/protocol/role.ts';
import type { NewTokenSchema, TokenScopeSchema, TokenSummary } from '#core/protocol/api/access.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import { hashSecret, makeSecret } from './secret.ts';

export type TokenScope = z.infer<typeof TokenScopeSchema>;

/** A token that was found to be valid. */
export interface FoundToken {
  id: string;
  name: string;
  /** What an API token may do by now; null for Agents. */
  role: Role | null;
  /** The one Agent that may join by it; null when any may. */
  agentName: string | null;
}

/** Who requested a token, in which session; without an account yet in one that began with a one-time link, without a session on the Controller's machine. */
export interface TokenMaker {
  evaluatorId: string | null;
  sessionId: string | null;
  name: string;
}

const prefix = 'hae_';

const columns =
  'id, name, scope, role, agent_name as "agentName", made_by as "madeBy", created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"';

/** All tokens, revoked ones too, the newest first. */
export async function listTokens(db: Queryable): Promise<TokenSummary[]> {
  const { rows } = await db.query<RowOf<TokenSummary>>(`select ${columns} from token order by id desc`);
  return rows.map(fromRow<TokenSummary>);
}

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
  const { rows } = await db.query<RowOf<TokenSummary>>(
    `insert into token (name, scope, role, agent_name, evaluator_id, session_id, made_by, token_hash) values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [
      name,
      scope,
      scope === 'api' ? role : null,
      agentName,
      maker?.evaluatorId ?? null,
      maker?.sessionId ?? null,
      maker?.name ?? null,
      hashSecret(token),
    ],
  );
  return { ...fromRow<TokenSummary>(rows[0]!), token };
}

/** Those of these tokens that were revoked, or are gone. */
export async function findRevoked(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from unnest($1::bigint[]) as held (id) where not exists (select from token where token.id = held.id and revoked_at is null)',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Who made it; null when there is no such token. */
export async function findToken(
  db: Queryable,
  id: string,
): Promise<{ name: string; evaluatorId: string | null; scope: TokenScope } | null> {
  const { rows } = await db.query<{ name: string; evaluator_id: string | null; scope: TokenScope }>(
    'select name, evaluator_id, scope from token where id = $1',
    [id],
  );
  return rows[0] ? { name: rows[0].name, evaluatorId: rows[0].evaluator_id, scope: rows[0].scope } : null;
}

/** What a session made before it had an account is the account's from then on: it may do no more than its maker, and goes with them. */
export async function assignTokens(
  db: Queryable,
  { sessionId, evaluatorId }: { sessionId: string; evaluatorId: string },
): Promise<void> {
  await db.query('update token set evaluator_id = $2 where session_id = $1 and evaluator_id is null', [
    sessionId,
    evaluatorId,
  ]);
}

/** False when there is no such token; a second time changes nothing. */
export async function revokeToken(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('update token set revoked_at = coalesce(revoked_at, now()) where id = $1', [id]);
  return rowCount === 1;
}

/** A token that was issued for this scope and not revoked, else null. Its last use is noted to the minute, so that reading stays cheap. */
export async function verifyToken(db: Queryable, token: string, scope: TokenScope): Promise<FoundToken | null> {
  if (!token.startsWith(prefix)) return null;
  const { rows } = await db.query<{
    id: string;
    name: string;
    role: Role | null;
    agent_name: string | null;
    is_stale: boolean;
  }>(
    `select token.id, token.name, least(token.role, evaluator.role) as role, agent_name,
       last_used_at is null or last_used_at < now() - interval '1 minute' as is_stale
     from token left join evaluator on evaluator.id = evaluator_id where token_hash = $1 and scope = $2 and revoked_at is null`,
    [hashSecret(token), scope],
  );
  const found = rows[0];
  if (!found) return null;
  if (found.is_stale) await db.query('update token set last_used_at = now() where id = $1', [found.id]);
  // The role of an Agent's maker is none of the Agent's.
  return {
    id: found.id,
    name: found.name,
    role: scope === 'api' ? found.role : null,
    agentName: found.agent_name,
  };
}
