import type { Role } from '#core/access/role.ts';
import type { Invitation } from '#core/protocol/api/people.ts';
import type { Queryable } from './queryable.ts';

export const ticketHours = 24;

interface TicketRow {
  id: string;
  role: Role;
  made_by: string | null;
  expires_at: Date;
}

const columns = 'id, role, made_by, expires_at';

/** `madeBy`: null for one that the Controller printed. */
export async function createTicket(db: Queryable, ticket: { hash: Buffer; role: Role; madeBy: string | null }): Promise<Invitation> {
  await db.query('delete from sign_in_ticket where expires_at <= now()');
  const { rows } = await db.query<TicketRow>(
    `insert into sign_in_ticket (ticket_hash, role, made_by, expires_at) values ($1, $2, $3, now() + make_interval(hours => ${ticketHours})) returning ${columns}`,
    [ticket.hash, ticket.role, ticket.madeBy],
  );
  return toInvitation(rows[0]!);
}

/** Uses a ticket up. Null when it was used, was withdrawn, has expired, or never was. */
export async function takeTicket(db: Queryable, hash: Buffer): Promise<{ role: Role } | null> {
  const { rows } = await db.query<{ role: Role }>('delete from sign_in_ticket where ticket_hash = $1 and expires_at > now() returning role', [hash]);
  return rows[0] ?? null;
}

/** The tickets that can still be used, the newest first. */
export async function listTickets(db: Queryable): Promise<Invitation[]> {
  const { rows } = await db.query<TicketRow>(`select ${columns} from sign_in_ticket where expires_at > now() order by id desc`);
  return rows.map(toInvitation);
}

/** False when there is none to withdraw. */
export async function withdrawTicket(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from sign_in_ticket where id = $1 and expires_at > now()', [id]);
  return rowCount === 1;
}

function toInvitation(row: TicketRow): Invitation {
  return { id: row.id, role: row.role, madeBy: row.made_by, expiresAt: row.expires_at.toISOString() };
}
