import type { Queryable } from './queryable.ts';

/** A session of a browser, found by its cookie. */
export interface FoundSession {
  /** Null while signed in by a one-time link without an account. */
  evaluatorName: string | null;
  csrfToken: string;
}

export async function createSession(
  db: Queryable,
  session: { hash: Buffer; evaluatorId: string | null; csrfToken: string; validHours: number },
): Promise<void> {
  await db.query('delete from session where expires_at <= now()');
  await db.query(
    'insert into session (token_hash, evaluator_id, csrf_token, expires_at) values ($1, $2, $3, now() + make_interval(hours => $4))',
    [session.hash, session.evaluatorId, session.csrfToken, session.validHours],
  );
}

/** Null when it has ended, has expired, or never was. */
export async function findSession(db: Queryable, hash: Buffer): Promise<FoundSession | null> {
  const { rows } = await db.query<{ name: string | null; csrf_token: string }>(
    `select evaluator.name, session.csrf_token from session left join evaluator on evaluator.id = session.evaluator_id
     where session.token_hash = $1 and session.expires_at > now()`,
    [hash],
  );
  return rows[0] ? { evaluatorName: rows[0].name, csrfToken: rows[0].csrf_token } : null;
}

/** Gives a session that began with a one-time link its account. False when it has one already. */
export async function assignEvaluator(db: Queryable, session: { hash: Buffer; evaluatorId: string }): Promise<boolean> {
  const { rowCount } = await db.query('update session set evaluator_id = $2 where token_hash = $1 and evaluator_id is null', [
    session.hash,
    session.evaluatorId,
  ]);
  return rowCount === 1;
}

export async function endSession(db: Queryable, hash: Buffer): Promise<void> {
  await db.query('delete from session where token_hash = $1', [hash]);
}
