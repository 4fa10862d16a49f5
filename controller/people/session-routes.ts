import { z } from 'zod';
import { includesRole } from '#core/protocol/role.ts';
import { AppError } from '#core/app-error.ts';
import {
  PasswordTicketRequestSchema,
  SessionSchema,
  SessionSummarySchema,
  SignInRequestSchema,
  TicketRequestSchema,
  type Session,
} from '#core/protocol/api/access.ts';
import { personOf, sessionOf, type OwnerIdentity, type SessionIdentity } from './identify.ts';
import { verifyPassword, hashPassword } from './password-hash.ts';
import { hashSecret } from './secret.ts';
import { findEvaluator, setPassword } from './evaluators.ts';
import { endSession, endSessionsOf, listSessions, forgetSession, openSession, type FoundSession } from './sessions.ts';
import { takePasswordTicket, takeTicket } from './sign-in-tickets.ts';
import { inTransaction } from '../database/transaction.ts';
import { emptyRoute, jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';

/** Signing in and out, and the sessions that are open. */
export function sessionRoutes(services: Services): Route[] {
  const { pool, publicUrl } = services;
  // Verified against when nobody has the name, so that the time does not show which names exist.
  const nobodysHash = hashPassword('');

  return [
    jsonRoute({
      method: 'post',
      path: '/api/sign-in',
      summary: 'Sign in with a name and a password',
      access: 'open',
      isLimited: true,
      body: SignInRequestSchema,
      answer: SessionSchema,
      handle: async ({ body, request, response }) => {
        const evaluator = await findEvaluator(pool, body.name);
        const isRight = await verifyPassword(body.password, evaluator?.passwordHash ?? (await nobodysHash));
        if (!evaluator || !isRight) throw new AppError('not-signed-in', 'The name or the password is wrong');
        const csrfToken = await openSession(
          { request, response },
          { entrance: services, who: { evaluatorId: evaluator.id, passwordHash: evaluator.passwordHash } },
        );
        return { evaluatorName: body.name, role: evaluator.role, csrfToken, publicUrl };
      },
      audit: ({ body }) => ({ action: 'signed-in', actor: body.name, subject: 'with a password' }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/sign-in/ticket',
      summary: 'Sign in with the ticket of a one-time link',
      access: 'open',
      isLimited: true,
      body: TicketRequestSchema,
      answer: SessionSchema,
      handle: async ({ body, request, response }) => {
        const taken = await takeTicket(pool, hashSecret(body.ticket));
        if (!taken) {
          throw new AppError(
            'not-signed-in',
            'This one-time link was used or withdrawn, or is older than 24 hours. Sign in with name and password, ask an admin for a link, or run "./http-ae link" on the Controller’s machine',
          );
        }
        const csrfToken = await openSession({ request, response }, { entrance: services, who: { role: taken.role } });
        return { evaluatorName: null, role: taken.role, csrfToken, publicUrl };
      },
      audit: (_call, { role }) => ({
        action: 'signed-in',
        actor: 'a person with a one-time link',
        subject: `by a one-time link as ${role}`,
      }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/sign-in/new-password',
      summary: 'Set a new password by the ticket of a one-time link, end all sessions of its person, and sign in',
      access: 'open',
      isLimited: true,
      body: PasswordTicketRequestSchema,
      answer: SessionSchema,
      handle: async ({ body, request, response }) => {
        const passwordHash = await hashPassword(body.newPassword);
        const person = await inTransaction(pool, async (client) => {
          const taken = await takePasswordTicket(client, hashSecret(body.ticket));
          if (!taken)
            throw new AppError(
              'not-signed-in',
              'This one-time link was used or withdrawn, or is older than 24 hours: ask an admin for a new one',
            );
          await setPassword(client, { id: taken.evaluatorId, passwordHash, former: null });
          await endSessionsOf(client, { evaluatorId: taken.evaluatorId, except: null });
          return taken;
        });
        const csrfToken = await openSession(
          { request, response },
          { entrance: services, who: { evaluatorId: person.evaluatorId, passwordHash } },
        );
        return { evaluatorName: person.name, role: person.role, csrfToken, publicUrl };
      },
      audit: (_call, { evaluatorName }) => ({
        action: 'password-changed',
        actor: 'a person with a one-time link',
        subject: evaluatorName ?? '',
      }),
    }),
    emptyRoute({
      method: 'post',
      path: '/api/sign-out',
      summary: 'End the session',
      access: 'self',
      handle: async ({ identity, response }) => {
        await endSession(pool, sessionOf(identity).session.id);
        forgetSession(response, services);
      },
      audit: () => ({ action: 'signed-out', subject: 'own session' }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/session',
      summary: 'Get the signed-in person',
      access: 'self',
      answer: SessionSchema,
      handle: ({ identity }) => Promise.resolve(describeSession(sessionOf(identity).session, publicUrl)),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/sessions',
      summary: 'List the sessions of the same person',
      access: 'self',
      answer: z.array(SessionSummarySchema),
      handle: ({ identity }) => listSessions(pool, { of: 'own', own: sessionOf(identity).session }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/sessions/all',
      summary: 'List all sessions',
      access: 'admin',
      isForPeople: true,
      answer: z.array(SessionSummarySchema),
      handle: ({ identity }) => listSessions(pool, { of: 'everybody', own: ownSession(personOf(identity)) }),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/sessions/:id',
      summary: 'End one of your sessions; as an admin any session',
      access: 'self',
      params: IdParams,
      handle: async ({ params, identity }) => {
        const person = personOf(identity);
        const of = includesRole(person.role, 'admin') ? 'everybody' : 'own';
        const all = await listSessions(pool, { of, own: ownSession(person) });
        const found = all.find(({ id }) => id === params.id);
        if (!found)
          throw new AppError(
            'not-found',
            `You have no session ${params.id}: it has ended or belongs to another person`,
          );
        await endSession(pool, found.id);
        return found;
      },
      audit: (_call, { evaluatorName, browser }) => ({
        action: 'session-ended',
        subject: `session of ${evaluatorName ?? 'a person without an account'}`,
        details: { browser },
      }),
    }),
  ];
}

function ownSession(person: SessionIdentity | OwnerIdentity): FoundSession | null {
  return person.kind === 'session' ? person.session : null;
}

export function describeSession({ evaluatorName, role, csrfToken }: FoundSession, publicUrl: string | null): Session {
  return { evaluatorName, role, csrfToken, publicUrl };
}
