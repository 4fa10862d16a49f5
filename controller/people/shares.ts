import type { Request } from 'express';
import { AppError } from '#core/app-error.ts';
import type { ShareSummary, NewShare } from '#core/protocol/api/share.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import { readBearer } from './identify.ts';
import { hashSecret, makeSecret } from './secret.ts';

/** A share that was found to be valid. */
export interface FoundShare {
  id: string;
  runId: string;
  evaluationName: string;
  expiresAt: string;
}

const columns =
  'id, made_by as "madeBy", created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"';
const isValid = 'revoked_at is null and expires_at > now()';

/** The valid shares of a Run, the newest first. */
export async function listShares(db: Queryable, runId: string): Promise<ShareSummary[]> {
  const { rows } = await db.query<RowOf<ShareSummary>>(
    `select ${columns} from comparison_share where run_id = $1 and ${isValid} order by id desc`,
    [runId],
  );
  return rows.map(fromRow<ShareSummary>);
}

/** The Run whose Comparison was shared; null when there is no valid share of this id. */
export async function revokeShare(
  db: Queryable,
  id: string,
): Promise<{ runId: string; evaluationName: string } | null> {
  const { rows } = await db.query<{ run_id: string; evaluation_name: string }>(
    `update comparison_share set revoked_at = now() from run
     where comparison_share.id = $1 and run.id = run_id and ${isValid} returning run_id, run.document ->> 'name' as evaluation_name`,
    [id],
  );
  return rows[0] ? { runId: rows[0].run_id, evaluationName: rows[0].evaluation_name } : null;
}

/** The valid share with this secret, else null; records that it was used. */
export async function useShare(db: Queryable, hash: Buffer): Promise<FoundShare | null> {
  const { rows } = await db.query<RowOf<FoundShare> & { isStale: boolean }>(
    `select comparison_share.id, run_id as "runId", run.document ->> 'name' as "evaluationName", expires_at as "expiresAt",
       last_used_at is null or last_used_at < now() - interval '1 minute' as "isStale"
     from comparison_share join run on run.id = run_id where secret_hash = $1 and ${isValid} and run.deleted_at is null`,
    [hash],
  );
  if (!rows[0]) return null;
  const { isStale, ...found } = rows[0];
  if (isStale) await db.query('update comparison_share set last_used_at = now() where id = $1', [found.id]);
  return fromRow<FoundShare>(found);
}

const prefix = 'hae_share_';

/** Shares the Comparison of a Run; only this answer contains the secret. */
export async function issueShare(
  db: Queryable,
  share: { runId: string; madeBy: string; days: number },
): Promise<NewShare> {
  const secret = prefix + makeSecret();
  const { rows } = await db.query<RowOf<ShareSummary>>(
    `insert into comparison_share (run_id, secret_hash, made_by, expires_at)
     values ($1, $2, $3, now() + make_interval(days => $4)) returning ${columns}`,
    [share.runId, hashSecret(secret), share.madeBy, share.days],
  );
  return { ...fromRow<ShareSummary>(rows[0]!), secret };
}

/** Whether a request comes from a page that a shared link opened. */
export function hasShareSecret(request: Request): boolean {
  return readBearer(request)?.startsWith(prefix) === true;
}

/** What the secret of a request opens. Throws `token-refused`. */
export async function needShare(db: Queryable, request: Request): Promise<FoundShare> {
  const secret = readBearer(request);
  const found = secret?.startsWith(prefix) ? await useShare(db, hashSecret(secret)) : null;
  if (found) return found;
  throw new AppError(
    'token-refused',
    'This link was revoked, has expired or is incomplete: ask the person who gave it to you for a new one',
  );
}
