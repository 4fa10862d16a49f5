import { hasEvaluator } from '../db/evaluators.ts';
import type { Queryable } from '../db/queryable.ts';
import { createTicket } from '../db/sign-in-tickets.ts';
import { hashSecret, makeSecret } from './secret.ts';

const validHours = 24;

/** Makes a ticket that signs in once within 24 hours, and returns its secret, which is stored nowhere. */
export async function issueTicket(db: Queryable): Promise<string> {
  const ticket = makeSecret();
  await createTicket(db, { hash: hashSecret(ticket), validHours });
  return ticket;
}

/** A ticket for the first evaluator; null when there is an evaluator, who can sign in. */
export async function issueFirstTicket(db: Queryable): Promise<string | null> {
  return (await hasEvaluator(db)) ? null : issueTicket(db);
}

/** The one-time link of a ticket. The secret stands in the fragment, which no browser sends, so that it reaches no server log. */
export function signInLink(baseUrl: string, ticket: string, next?: string): string {
  const fragment = new URLSearchParams({ ticket, ...(next !== undefined && { next }) });
  return `${baseUrl}/sign-in#${fragment.toString().replaceAll('%2F', '/')}`;
}
