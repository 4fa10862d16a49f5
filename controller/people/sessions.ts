import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { AppError } from '#core/app-error.ts';
import type { Role } from '#core/protocol/role.ts';
import type { SessionSummary } from '#core/protocol/api/access.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import type { Entrance } from './entrance.ts';
import { hashSecret, makeSecret } from './secret.ts';

/** Who signs in: an account by its password, or anybody by the role that a one-time link gives. */
export type SignedIn = { evaluatorId: string; passwordHash: string } | { role: Role };

/** A session ends this long after signing in, in any case. */
export const sessionHours = 14 * 24;
/** A session that no request was made in for this long has ended. An open page makes requests. */
export const idleSessionHours = 3 * 24;

/** A session of a browser, found by its cookie. */
export interface FoundSession {
  id: string;
  /** Null, and the name too, while signed in by a one-time link without an account. */
  evaluatorId: string | null;
  evaluatorName: string | null;
  /** That of the account as it is now. */
  role: Role;
  csrfToken: string;
}

const open = `expires_at > now() and last_used_at > now() - make_interval(hours => ${idleSessionHours})`;
const roleNow = 'coalesce(evaluator.role, session.role) as role';

/** False where the account has another password by now, or is gone: a change of password ends the sessions of who knew the old one, also of who is just signing in. */
export async function createSession(
  db: Queryable,
  session: { hash: Buffer; who: SignedIn; csrfToken: string; browser: string | null },
): Promise<boolean> {
  const { hash, who, csrfToken, browser } = session;
  await db.query(`delete from session where not (${open})`);
  const isAccount = 'evaluatorId' in who;
  const { rowCount } = await db.query(
    `insert into session (token_hash, csrf_token, browser, expires_at, evaluator_id, role)
     select $1, $2, $3, now() + make_interval(hours => ${sessionHours}),
       ${isAccount ? 'id, null from evaluator where id = $4 and password_hash = $5 for share' : 'null, $4::role'}`,
    [hash, csrfToken, browser, ...(isAccount ? [who.evaluatorId, who.passwordHash] : [who.role])],
  );
  return rowCount === 1;
}

/** Null when it has ended, has expired, or never was. Its last use is noted to the minute, so that reading stays cheap. */
export async function findSession(db: Queryable, hash: Buffer): Promise<FoundSession | null> {
  const { rows } = await db.query<FoundSession & { isStale: boolean }>(
    `select session.id, evaluator_id as "evaluatorId", name as "evaluatorName", ${roleNow}, csrf_token as "csrfToken", last_used_at < now() - interval '1 minute' as "isStale"
     from session left join evaluator on evaluator.id = evaluator_id where token_hash = $1 and ${open}`,
    [hash],
  );
  if (!rows[0]) return null;
  const { isStale, ...found } = rows[0];
  if (isStale) await db.query('update session set last_used_at = now() where id = $1', [found.id]);
  return found;
}

/** The open sessions of one person, or of everybody, the last used first. `own`: that of who asks; null for the owner of the Controller, who has none. */
export async function listSessions(
  db: Queryable,
  { of, own }: { of: 'everybody' | 'own'; own: FoundSession | null },
): Promise<SessionSummary[]> {
  const { rows } = await db.query<RowOf<SessionSummary>>(
    `select session.id, name as "evaluatorName", ${roleNow}, browser, session.created_at as "createdAt", last_used_at as "lastUsedAt", coalesce(session.id = $1, false) as "isOwn"
     from session left join evaluator on evaluator.id = evaluator_id
     where ${open} and ($3 or session.id = $1 or evaluator_id = $2) order by "isOwn" desc, last_used_at desc, session.id`,
    [own?.id ?? null, own?.evaluatorId ?? null, of === 'everybody'],
  );
  return rows.map(fromRow<SessionSummary>);
}

/** Gives a session that began with a one-time link its account. False when it has one already. */
export async function assignEvaluator(db: Queryable, session: { id: string; evaluatorId: string }): Promise<boolean> {
  const { rowCount } = await db.query(
    'update session set evaluator_id = $2, role = null where id = $1 and evaluator_id is null',
    [session.id, session.evaluatorId],
  );
  return rowCount === 1;
}

export async function endSession(db: Queryable, id: string): Promise<void> {
  await db.query('delete from session where id = $1', [id]);
}

export async function endSessionByHash(db: Queryable, hash: Buffer): Promise<void> {
  await db.query('delete from session where token_hash = $1', [hash]);
}

/** After a change of password: anyone who knew the old one is signed out. `except`: the session that it was changed in, if any. */
export async function endSessionsOf(
  db: Queryable,
  { evaluatorId, except }: { evaluatorId: string; except: string | null },
): Promise<void> {
  await db.query('delete from session where evaluator_id = $1 and id is distinct from $2', [evaluatorId, except]);
}

const browserNameLimit = 300;

/**
 * Makes a session and hands its secret to the browser; returns the token that its changing requests must carry. The session that the browser had
 * before ends: nobody could find it any more, nor end it there. Throws `not-signed-in` where the password is another by now.
 */
export async function openSession(
  { request, response }: { request: Request; response: Response },
  { entrance, who }: { entrance: Entrance; who: SignedIn },
): Promise<string> {
  const secret = makeSecret();
  const csrfToken = makeSecret();
  const browser = request.get('user-agent')?.slice(0, browserNameLimit) ?? null;
  const earlier = readSessionHash(request, entrance);
  if (earlier !== null) await endSessionByHash(entrance.pool, earlier);
  if (!(await createSession(entrance.pool, { hash: hashSecret(secret), who, csrfToken, browser })))
    throw new AppError('not-signed-in', 'The password was changed just now: sign in with the new one');
  setCookie(response, { value: secret, maxAge: sessionHours * 3600, entrance });
  return csrfToken;
}

export function forgetSession(response: Response, entrance: Entrance): void {
  setCookie(response, { value: '', maxAge: 0, entrance });
}

/** The hash by which the session of a request is found; null when the request carries no session cookie. */
export function readSessionHash(request: Request, { cookieName }: Pick<Entrance, 'cookieName'>): Buffer | null {
  const secret = parseCookie(request.headers.cookie ?? '')[cookieName];
  return secret ? hashSecret(secret) : null;
}

function setCookie(
  response: Response,
  { value, maxAge, entrance }: { value: string; maxAge: number; entrance: Entrance },
): void {
  const { cookieName, isSecure } = entrance;
  response.append(
    'set-cookie',
    stringifySetCookie({
      name: cookieName,
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure: isSecure,
    }),
  );
}
