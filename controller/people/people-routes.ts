import { AppError } from '#core/app-error.ts';
import { AccountRequestSchema, PasswordRequestSchema, SessionSchema } from '#core/protocol/api/access.ts';
import { NewInvitationSchema, PeopleSchema, RoleRequestSchema } from '#core/protocol/api/people.ts';
import { isNameOfAccount, sessionOf, nameIdentity } from './identify.ts';
import {
  listPeople,
  lockPerson,
  removePerson,
  setRole,
  createEvaluator,
  findEvaluator,
  setPassword,
} from './evaluators.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { describeSession } from './session-routes.ts';
import { assignEvaluator, endSessionsOf } from './sessions.ts';
import { listTickets, withdrawTicket, invite } from './sign-in-tickets.ts';
import { inTransaction } from '../database/transaction.ts';
import { emptyRoute, jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { assignTokens } from './tokens.ts';

/** Who may do what. */
export function peopleRoutes({ pool }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/people',
      summary: 'List all accounts and the unused one-time links',
      access: 'admin',
      isForPeople: true,
      answer: PeopleSchema,
      handle: async () => {
        const [people, invitations] = await Promise.all([listPeople(pool), listTickets(pool)]);
        return { people, invitations };
      },
    }),
    emptyRoute({
      method: 'put',
      path: '/api/people/:id',
      summary: 'Change the role of a person, from their next request on',
      access: 'admin',
      isForPeople: true,
      params: IdParams,
      body: RoleRequestSchema,
      handle: ({ params, body }) =>
        inTransaction(pool, async (client) => {
          const person = await lockPerson(client, params.id);
          if (!person) throw noPerson(params.id);
          if (person.isLastAdmin && body.role !== 'admin')
            throw new AppError('conflict', `"${person.name}" is the only admin: make another person an admin first`);
          await setRole(client, { id: params.id, role: body.role });
          return person;
        }),
      audit: ({ body }, { name, role }) => ({
        action: 'role-changed',
        subject: name,
        details: { from: role, to: body.role },
      }),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/people/:id',
      summary: 'Remove a person’s account, sessions and API tokens; their Evaluations and Runs stay',
      access: 'admin',
      isForPeople: true,
      params: IdParams,
      handle: ({ params }) =>
        inTransaction(pool, async (client) => {
          const person = await lockPerson(client, params.id);
          if (!person) throw noPerson(params.id);
          if (person.isLastAdmin)
            throw new AppError('conflict', `"${person.name}" is the only admin: make another person an admin first`);
          await removePerson(client, params.id);
          return person;
        }),
      audit: (_call, { name, role }) => ({ action: 'person-removed', subject: name, details: { role } }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/invitations',
      summary: 'Create a one-time link for a new account. Only this response contains its ticket',
      access: 'admin',
      isForPeople: true,
      body: RoleRequestSchema,
      status: 201,
      answer: NewInvitationSchema,
      handle: ({ body, identity }) => invite(pool, { role: body.role, madeBy: nameIdentity(identity) }),
      audit: (_call, { id, role }) => ({ action: 'person-invited', subject: `one-time link ${id}, as ${role}` }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/people/:id/password-link',
      summary: 'Create a one-time link for a new password of a person. Only this response contains its ticket',
      access: 'admin',
      isForPeople: true,
      params: IdParams,
      status: 201,
      answer: NewInvitationSchema,
      handle: ({ params, identity }) =>
        inTransaction(pool, async (client) => {
          const person = await lockPerson(client, params.id);
          if (!person) throw noPerson(params.id);
          return invite(client, { role: person.role, evaluatorId: params.id, madeBy: nameIdentity(identity) });
        }),
      audit: (_call, { id, person }) => ({
        action: 'password-link-made',
        subject: person ?? '',
        details: { link: id },
      }),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/invitations/:id',
      summary: 'Withdraw an unused one-time link',
      access: 'admin',
      isForPeople: true,
      params: IdParams,
      handle: async ({ params }) => {
        if (!(await withdrawTicket(pool, params.id)))
          throw new AppError(
            'not-found',
            `There is no one-time link ${params.id}: it was used or withdrawn, or is too old`,
          );
      },
      audit: ({ params }) => ({ action: 'invitation-withdrawn', subject: `one-time link ${params.id}` }),
    }),
  ];
}

function noPerson(id: string): AppError {
  return new AppError('not-found', `There is no person ${id}: the account may have been removed`);
}

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
        if (!isNameOfAccount(body.name))
          throw new AppError('conflict', `The audit log calls others "${body.name}": choose another name`);
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
          if (!(await setPassword(client, { id: evaluatorId, passwordHash, former: evaluator.passwordHash })))
            throw new AppError('conflict', 'The password was changed at the same time: sign in with the new one');
          await endSessionsOf(client, { evaluatorId, except: id });
        });
        return evaluatorName;
      },
      audit: (_call, name) => ({ action: 'password-changed', subject: name ?? '' }),
    }),
  ];
}
