import { AppError } from '#core/app-error.ts';
import { AccountRequestSchema, PasswordRequestSchema, SessionSchema } from '#core/protocol/api/access.ts';
import { sessionOf } from './identify.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { createEvaluator, findEvaluator, setPassword } from './evaluators.ts';
import { assignEvaluator, endSessionsOf } from './sessions.ts';
import { assignTokens } from './tokens.ts';
import { inTransaction } from '../database/transaction.ts';
import { emptyRoute, jsonRoute, type Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { describeSession } from './session-routes.ts';

/** What people do with the account that is their own. */
export function accountRoutes({ pool, publicUrl }: Services): Route[] {
  return [
    jsonRoute({
      method: 'post',
      path: '/api/account',
      summary: 'Create the account of a session that began with a one-time link',
      access: 'self',
      body: AccountRequestSchema,
      status: 201,
      answer: SessionSchema,
      handle: async ({ body, identity }) => {
        const { session } = sessionOf(identity);
        const passwordHash = await hashPassword(body.password);
        await inTransaction(pool, async (client) => {
          const evaluatorId = await createEvaluator(client, { name: body.name, passwordHash, role: session.role });
          if (evaluatorId === null)
            throw new AppError('conflict', `"${body.name}" already has an account: choose another name, or sign in`);
          if (!(await assignEvaluator(client, { id: session.id, evaluatorId })))
            throw new AppError('conflict', 'This session already has an account');
          await assignTokens(client, { sessionId: session.id, evaluatorId });
        });
        return { ...describeSession(session, publicUrl), evaluatorName: body.name };
      },
      audit: ({ body }, { role }) => ({
        action: 'account-made',
        actor: body.name,
        subject: `${body.name}, as ${role}`,
      }),
    }),
    emptyRoute({
      method: 'put',
      path: '/api/account/password',
      summary: 'Change your password and end all your other sessions',
      access: 'self',
      isLimited: true,
      body: PasswordRequestSchema,
      handle: async ({ body, identity }) => {
        const { id, evaluatorId, evaluatorName } = sessionOf(identity).session;
        const evaluator = evaluatorName === null ? null : await findEvaluator(pool, evaluatorName);
        if (!evaluator || evaluatorId === null)
          throw new AppError('conflict', 'This session has no account yet: choose a name and a password first');
        if (!(await verifyPassword(body.currentPassword, evaluator.passwordHash)))
          throw new AppError('not-allowed', 'The current password is wrong');
        const passwordHash = await hashPassword(body.newPassword);
        await inTransaction(pool, async (client) => {
          await setPassword(client, { id: evaluatorId, passwordHash });
          await endSessionsOf(client, { evaluatorId, except: id });
        });
        return evaluatorName;
      },
      audit: (_call, name) => ({ action: 'password-changed', subject: name ?? '' }),
    }),
  ];
}
