import type { Role } from '#core/protocol/role.ts';
import type { Invitation, NewInvitation } from '#core/protocol/api/people.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import { hasEvaluator } from './evaluators.ts';
import { hashSecret, makeSecret } from './secret.ts';

export const ticketHours = 24;

const columns =
  'id, role, (select name from evaluator where evaluator.id = evaluator_id) as person, made_by as "madeBy", expires_at as "expiresAt"';

/** Uses a ticket for somebody new up. Null when it was used, was withdrawn, has expired, or never was. */
export async function takeTicket(db: Queryable, hash: Buffer): Promise<{ role: Role } | null> {
  const { rows } = await db.query<{ role: Role }>(
    'delete from sign_in_ticket where ticket_hash = $1 and evaluator_id is null and expires_at > now() returning role',
    [hash],
  );
  return rows[0] ?? null;
}

/** Uses a ticket for a new password up. Null when it was used, was withdrawn, has expired, or never was. */
export async function takePasswordTicket(
  db: Queryable,
  hash: Buffer,
): Promise<{ evaluatorId: string; name: string; role: Role } | null> {
  const { rows } = await db.query<{ id: string; name: string; role: Role }>(
    `delete from sign_in_ticket using evaluator where ticket_hash = $1 and evaluator.id = evaluator_id and expires_at > now()
     returning evaluator.id, evaluator.name, evaluator.role`,
    [hash],
  );
  return rows[0] ? { evaluatorId: rows[0].id, name: rows[0].name, role: rows[0].role } : null;
}

/** The tickets that can still be used, the newest first. */
export async function listTickets(db: Queryable): Promise<Invitation[]> {
  const { rows } = await db.query<RowOf<Invitation>>(
    `select ${columns} from sign_in_ticket where expires_at > now() order by id desc`,
  );
  return rows.map(fromRow<Invitation>);
}

/** False when there is none to withdraw. */
export async function withdrawTicket(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from sign_in_ticket where id = $1 and expires_at > now()', [id]);
  return rowCount === 1;
}

/**
 * Makes a ticket that works once within 24 hours: it signs somebody new in, or renews the password of the account `evaluatorId`. Its secret is
 * in this answer only, and stored as a hash. `madeBy`: null for one that the Controller printed.
 */
export async function invite(
  db: Queryable,
  { role, evaluatorId = null, madeBy }: { role: Role; evaluatorId?: string | null; madeBy: string | null },
): Promise<NewInvitation> {
  const ticket = makeSecret();
  await db.query('delete from sign_in_ticket where expires_at <= now()');
  const { rows } = await db.query<RowOf<Invitation>>(
    `insert into sign_in_ticket (ticket_hash, role, evaluator_id, made_by, expires_at) values ($1, $2, $3, $4, now() + make_interval(hours => ${ticketHours}))
     returning ${columns}`,
    [hashSecret(ticket), role, evaluatorId, madeBy],
  );
  return { ...fromRow<Invitation>(rows[0]!), ticket };
}

/** A ticket of the Controller's own, for who started it. */
export async function issueTicket(db: Queryable, role: Role = 'admin'): Promise<string> {
  return (await invite(db, { role, madeBy: null })).ticket;
}

/** A ticket for the first person; null when somebody has an account, and can sign in. */
export async function issueFirstTicket(db: Queryable): Promise<string | null> {
  return (await hasEvaluator(db)) ? null : issueTicket(db);
}

/** The one-time link of a ticket. The secret is in the fragment, which no browser sends, so that it reaches no server log. */
export function signInLink(baseUrl: string, ticket: string, next?: string): string {
  const fragment = new URLSearchParams({ ticket, ...(next !== undefined && { next }) });
  return `${baseUrl}/sign-in#${fragment.toString().replaceAll('%2F', '/')}`;
}
