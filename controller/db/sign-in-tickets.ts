import type { Queryable } from './queryable.ts';

export async function createTicket(db: Queryable, ticket: { hash: Buffer; validHours: number }): Promise<void> {
  await db.query('delete from sign_in_ticket where expires_at <= now()');
  await db.query('insert into sign_in_ticket (ticket_hash, expires_at) values ($1, now() + make_interval(hours => $2))', [
    ticket.hash,
    ticket.validHours,
  ]);
}

/** Uses a ticket up. False when it was used, has expired, or never was. */
export async function takeTicket(db: Queryable, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('delete from sign_in_ticket where ticket_hash = $1 and expires_at > now()', [hash]);
  return rowCount === 1;
}
