import type { Role } from '#core/protocol/role.ts';
import type { NewInvitation } from '#core/protocol/api/people.ts';
import { hasEvaluator } from './evaluators.ts';
import type { Queryable } from '../database/queryable.ts';
import { createTicket } from './sign-in-tickets.ts';
import { hashSecret, makeSecret } from './secret.ts';

/**
 * Makes a ticket that works once within 24 hours: it signs somebody new in, or renews the password of the account `evaluatorId`. Its secret is
 * in this answer only, and stored as a hash.
 */
export async function invite(
  db: Queryable,
  invitation: { role: Role; evaluatorId?: string; madeBy: string | null },
): Promise<NewInvitation> {
  const { role, evaluatorId = null, madeBy } = invitation;
  const ticket = makeSecret();
  return { ...(await createTicket(db, { hash: hashSecret(ticket), role, evaluatorId, madeBy })), ticket };
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
