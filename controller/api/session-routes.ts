import { AppError } from '#core/app-error.ts';
import { AccountRequestSchema, SessionSchema, SignInRequestSchema, TicketRequestSchema } from '#core/protocol/api/access.ts';
import { sessionOf } from '../access/identify.ts';
import { hashPassword, verifyPassword } from '../access/password-hash.ts';
import { hashSecret } from '../access/secret.ts';
import { forgetSession, openSession } from '../access/session-cookie.ts';
import { createEvaluator, findEvaluator } from '../db/evaluators.ts';
import { assignEvaluator, endSession } from '../db/sessions.ts';
import { takeTicket } from '../db/sign-in-tickets.ts';
import { inTransaction } from '../db/transaction.ts';
import { emptyRoute, jsonRoute, type Route } from './route.ts';
import type { Services } from './services.ts';

export function sessionRoutes({ pool, isSecure }: Services): Route[] {
  // Verified against when nobody has the name, so that the time does not tell which names there are.
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
      handle: async ({ body, response }) => {
        const evaluator = await findEvaluator(pool, body.name);
        const isRight = await verifyPassword(body.password, evaluator?.passwordHash ?? (await nobodysHash));
        if (!evaluator || !isRight) throw new AppError('not-signed-in', 'The name or the password is wrong');
        return { evaluatorName: body.name, csrfToken: await openSession(response, { db: pool, evaluatorId: evaluator.id, isSecure }) };
      },
    }),
    jsonRoute({
      method: 'post',
      path: '/api/sign-in/ticket',
      summary: 'Sign in with the ticket of a one-time link',
      access: 'open',
      isLimited: true,
      body: TicketRequestSchema,
      answer: SessionSchema,
      handle: async ({ body, response }) => {
        if (!(await takeTicket(pool, hashSecret(body.ticket)))) {
          throw new AppError('not-signed-in', 'This one-time link was used, or is older than 24 hours: sign in with a name and a password, or restart the controller for a new link while it has no account');
        }
        return { evaluatorName: null, csrfToken: await openSession(response, { db: pool, evaluatorId: null, isSecure }) };
      },
    }),
    emptyRoute({
      method: 'post',
      path: '/api/sign-out',
      summary: 'End the session',
      access: 'session',
      handle: async ({ identity, response }) => {
        await endSession(pool, sessionOf(identity).hash);
        forgetSession(response, isSecure);
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/session',
      summary: 'Who is signed in',
      access: 'session',
      answer: SessionSchema,
      handle: ({ identity }) => Promise.resolve(sessionOf(identity).session),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/account',
      summary: 'Make the account of a session that began with a one-time link',
      access: 'session',
      body: AccountRequestSchema,
      status: 201,
      answer: SessionSchema,
      handle: async ({ body, identity }) => {
        const { hash, session } = sessionOf(identity);
        const passwordHash = await hashPassword(body.password);
        await inTransaction(pool, async (client) => {
          const evaluatorId = await createEvaluator(client, { name: body.name, passwordHash });
          if (evaluatorId === null) throw new AppError('conflict', `"${body.name}" has an account already: choose another name, or sign in`);
          if (!(await assignEvaluator(client, { hash, evaluatorId }))) throw new AppError('conflict', 'This session has an account already');
        });
        return { evaluatorName: body.name, csrfToken: session.csrfToken };
      },
    }),
  ];
}
