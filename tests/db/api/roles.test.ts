import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '#controller/database/transaction.ts';
import { listRoutes } from '#controller/http/list-routes.ts';
import type { Route } from '#controller/http/route.ts';
import { findEvaluator, setPassword } from '#controller/people/evaluators.ts';
import { createSession, endSessionsOf } from '#controller/people/sessions.ts';
import { RoleSchema, includesRole, type Role } from '#core/protocol/role.ts';
import { NewTokenSchema, SessionSchema, SessionSummarySchema } from '#core/protocol/api/access.ts';
import { NewInvitationSchema, PeopleSchema } from '#core/protocol/api/people.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { withServices } from './support/with-services.ts';
import { postJson, sendWith, startTestController, type Send } from '../../support/controller.ts';
import { holdForAll } from '#tests/support/hold.ts';

const ownerToken = 'hae_owner_secret';
let routes: Route[];
const it = holdForAll(() => startTestController({ ownerToken }));
beforeAll(async () => {
  routes = await withServices(it, listRoutes);
});

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const isRole = (access: string): access is Role => RoleSchema.safeParse(access).success;
/** They ask for a lot, and change nothing. */
const asksOnly = (route: Route) => route.path.includes('/estimate');
const put = (body: unknown): RequestInit => ({ ...postJson(body), method: 'PUT' });
const problemOf = async (response: Response) => ({
  status: response.status,
  ...ProblemSchema.parse(await response.json()),
});

/** Somebody with an account, signed in with its password. */
async function join(role: Role, name: string): Promise<{ browser: Send; password: string }> {
  const { browser: admin } = await it.signIn();
  const { ticket } = await makeLink(admin, '/api/invitations', { role });
  const entered = await it.anonymous('/api/sign-in/ticket', postJson({ ticket }));
  const browser = asBrowser(entered, SessionSchema.parse(await entered.json()).csrfToken);
  const password = `the password of ${name}`;
  const made = await browser('/api/account', postJson({ name, password }));
  expect(SessionSchema.parse(await made.json())).toMatchObject({ evaluatorName: name, role });
  return { browser, password };
}

function asBrowser(entered: Response, csrfToken: string): Send {
  return sendWith(it.anonymous, {
    cookie: entered.headers.getSetCookie()[0]!.split(';')[0]!,
    'x-csrf-token': csrfToken,
  });
}

const makeLink = async (admin: Send, path: string, body: unknown = {}) =>
  NewInvitationSchema.parse(await (await admin(path, postJson(body))).json());

const idOf = async (admin: Send, name: string) =>
  PeopleSchema.parse(await (await admin('/api/people')).json()).people.find((person) => person.name === name)!.id;

describe('the table of routes', () => {
  test('reading needs no more than a viewer where everybody may see it, and every change needs more', () => {
    const changing = routes.filter(({ method, access }) => method !== 'get' && isRole(access));
    expect(changing.filter(({ access }) => access === 'viewer').map(nameOf)).toEqual(
      changing.filter(asksOnly).map(nameOf),
    );
    const guarded = routes.filter(
      ({ method, access }) => method === 'get' && (access === 'evaluator' || access === 'admin'),
    );
    expect(guarded.map(({ path }) => path).sort()).toEqual([
      '/api/audit',
      '/api/certificates',
      '/api/host-joins',
      '/api/people',
      '/api/runs/:id/shares',
      '/api/sessions/all',
      '/api/tokens',
    ]);
    expect(
      routes.filter(({ access, method }) => access === 'open' && method !== 'get').map(({ path }) => path),
    ).toEqual(['/api/sign-in', '/api/sign-in/ticket', '/api/sign-in/new-password']);
  });

  test('no program reads of accounts, tokens, invitations, sessions or shared links, nor makes or ends any', async () => {
    // Those with a limit count the failure, as any: the next tests would wait.
    const ofAccess = routes.filter(
      ({ path, access, isLimited }) =>
        access !== 'open' && !isLimited && /\/(?:account|invitations|people|sessions?|shares|tokens)\b/.test(path),
    );
    expect(ofAccess.length).toBeGreaterThan(15);
    for (const { method, path } of ofAccess) {
      const answer = await problemOf(await it.program(path.replace(/:\w+/g, '1'), { method: method.toUpperCase() }));
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 403,
        message: expect.stringContaining('API token') as string,
      });
    }
  });

  test('each change of a person or a program goes into the audit log', () => {
    const silent = routes.filter(
      (route) => route.method !== 'get' && route.access !== 'agent' && !route.isAudited && !asksOnly(route),
    );
    expect(silent.map(nameOf)).toEqual([]);
  });

  test.for(['viewer', 'evaluator'] as const)(
    'a person who is only %s is refused, with the reason, where more is needed',
    async (role) => {
      const { browser } = await it.signIn(role);
      const beyond = routes.filter(({ access }) => isRole(access) && !includesRole(role, access));
      expect(beyond.length).toBeGreaterThan(5);
      for (const { method, path, access } of beyond) {
        const answer = await problemOf(await browser(path.replace(/:\w+/g, '1'), { method: method.toUpperCase() }));
        expect({ path, ...answer }).toMatchObject({ path, status: 403, code: 'not-allowed' });
        expect(answer.message).toContain(`This needs the role "${access}"; yours is "${role}"`);
      }
    },
  );

  test('a viewer’s token, and one whose maker became a viewer, only read', async () => {
    const { browser } = await join('evaluator', 'Vera');
    const { browser: admin } = await it.signIn();
    const makeProgram = async (role: Role) => {
      const { token } = NewTokenSchema.parse(
        await (await browser('/api/tokens', postJson({ name: 'ci', scope: 'api', role }))).json(),
      );
      return sendWith(it.anonymous, { authorization: `Bearer ${token}` });
    };
    const [reading, writing] = [await makeProgram('viewer'), await makeProgram('evaluator')];
    const change = postJson({});
    expect([(await reading('/api/runs')).status, (await reading('/api/evaluations', change)).status]).toEqual([
      200, 403,
    ]);
    expect((await writing('/api/evaluations', change)).status).toBe(400);

    const id = await idOf(admin, 'Vera');
    expect((await admin(`/api/people/${id}`, put({ role: 'viewer' }))).status).toBe(204);
    expect([(await writing('/api/runs')).status, (await writing('/api/evaluations', change)).status]).toEqual([
      200, 403,
    ]);
    expect((await browser('/api/evaluations', change)).status).toBe(403);

    expect((await admin(`/api/people/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect([(await writing('/api/runs')).status, (await browser('/api/session')).status]).toEqual([401, 401]);
  });
});

describe('people', () => {
  test('the only admin stays one', async () => {
    await join('admin', 'Ada');
    const { browser: admin } = await it.signIn();
    const id = await idOf(admin, 'Ada');
    for (const request of [put({ role: 'viewer' }), { method: 'DELETE' }]) {
      expect(await problemOf(await admin(`/api/people/${id}`, request))).toMatchObject({
        status: 409,
        message: expect.stringContaining('"Ada" is the only admin') as string,
      });
    }
  });

  test('with a person go the tokens that they made before they had an account', async () => {
    const { browser } = await it.signIn('evaluator');
    const { token } = NewTokenSchema.parse(
      await (await browser('/api/tokens', postJson({ name: 'early', scope: 'api', role: 'evaluator' }))).json(),
    );
    const program = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
    expect((await program('/api/evaluations', postJson({}))).status).toBe(400);
    await browser('/api/account', postJson({ name: 'Edda', password: 'the password of Edda' }));

    const { browser: admin } = await it.signIn();
    const id = await idOf(admin, 'Edda');
    await admin(`/api/people/${id}`, put({ role: 'viewer' }));
    expect((await program('/api/evaluations', postJson({}))).status).toBe(403);
    await admin(`/api/people/${id}`, { method: 'DELETE' });
    expect((await program('/api/runs')).status).toBe(401);
  });

  test('an invitation that was withdrawn lets nobody in', async () => {
    const { browser: admin } = await it.signIn();
    const { id, ticket } = await makeLink(admin, '/api/invitations', { role: 'viewer' });
    const { invitations } = PeopleSchema.parse(await (await admin('/api/people')).json());
    expect(invitations.find((open) => open.id === id)).toMatchObject({ role: 'viewer' });
    expect((await admin(`/api/invitations/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await it.anonymous('/api/sign-in/ticket', postJson({ ticket }))).status).toBe(401);
    expect((await admin(`/api/invitations/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('a changed password ends the other sessions of its owner, and needs the old one', async () => {
    const { browser, password } = await join('viewer', 'Paul');
    const enter = (word: string) => it.anonymous('/api/sign-in', postJson({ name: 'Paul', password: word }));
    const elsewhere = await enter(password);
    const other = asBrowser(elsewhere, SessionSchema.parse(await elsewhere.json()).csrfToken);
    const change = (currentPassword: string) =>
      browser('/api/account/password', put({ currentPassword, newPassword: 'a better one, surely' }));
    expect(await problemOf(await change('wrong, wrong'))).toMatchObject({
      status: 403,
      message: 'The current password is wrong',
    });
    expect((await other('/api/session')).status).toBe(200);
    expect((await change(password)).status).toBe(204);
    expect([(await browser('/api/session')).status, (await other('/api/session')).status]).toEqual([200, 401]);
    expect([(await enter(password)).status, (await enter('a better one, surely')).status]).toEqual([401, 200]);
  });

  test('who forgot the password chooses a new one by a link of an admin, once, and is out everywhere else', async () => {
    const { browser, password } = await join('viewer', 'Vito');
    const { browser: admin } = await it.signIn();
    const path = `/api/people/${await idOf(admin, 'Vito')}/password-link`;
    const [withdrawn, link] = [await makeLink(admin, path), await makeLink(admin, path)];
    const { invitations } = PeopleSchema.parse(await (await admin('/api/people')).json());
    expect(invitations.find(({ id }) => id === link.id)).toMatchObject({ role: 'viewer', person: 'Vito' });
    await admin(`/api/invitations/${withdrawn.id}`, { method: 'DELETE' });

    const enter = (word: string) => it.anonymous('/api/sign-in', postJson({ name: 'Vito', password: word }));
    const renew = (ticket: string, newPassword: string) =>
      it.anonymous('/api/sign-in/new-password', postJson({ ticket, newPassword }));
    const better = 'a better one, surely';
    expect((await renew(withdrawn.ticket, better)).status).toBe(401);
    expect((await renew(link.ticket, 'short')).status).toBe(400);
    // It lets nobody new in, and an invitation renews no password.
    expect((await it.anonymous('/api/sign-in/ticket', postJson({ ticket: link.ticket }))).status).toBe(401);
    const invitation = await makeLink(admin, '/api/invitations', { role: 'admin' });
    expect((await renew(invitation.ticket, better)).status).toBe(401);
    expect([(await enter(password)).status, (await browser('/api/session')).status]).toEqual([200, 200]);

    const renewed = await renew(link.ticket, better);
    const session = SessionSchema.parse(await renewed.json());
    expect(session).toMatchObject({ evaluatorName: 'Vito', role: 'viewer' });
    expect((await asBrowser(renewed, session.csrfToken)('/api/session')).status).toBe(200);
    expect([
      (await browser('/api/session')).status,
      (await enter(password)).status,
      (await enter(better)).status,
    ]).toEqual([401, 401, 200]);
    expect((await renew(link.ticket, 'another one, surely')).status).toBe(401);
    expect((await admin('/api/people/999999/password-link', postJson({}))).status).toBe(404);
  });

  test('who signs in with the old password, or changes it by that, while another is set, does neither', async () => {
    const { pool } = it.controller;
    await join('viewer', 'Nina');
    const { id, passwordHash } = (await findEvaluator(pool, 'Nina'))!;
    const signIn = () => {
      const who = { evaluatorId: id, passwordHash };
      return createSession(pool, { hash: randomBytes(32), who, csrfToken: 'a token', browser: null });
    };
    let late: Promise<boolean[]> | undefined;
    await inTransaction(pool, async (client) => {
      await setPassword(client, { id, passwordHash: 'another', former: null });
      await endSessionsOf(client, { evaluatorId: id, except: null });
      late = Promise.all([signIn(), setPassword(pool, { id, passwordHash: 'a third', former: passwordHash })]);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 20_000 }).toBe(2);
    });
    expect(await late).toEqual([false, false]);
    expect((await findEvaluator(pool, 'Nina'))!.passwordHash).toBe('another');
    expect((await pool.query('select from session where evaluator_id = $1', [id])).rowCount).toBe(0);
  });

  test('people see and end their own sessions, an admin everybody’s', async () => {
    const { browser } = await join('evaluator', 'Olga');
    const { browser: stranger } = await it.signIn('evaluator');
    const { browser: admin } = await it.signIn();
    const list = async (send: Send, path: string) =>
      z.array(SessionSummarySchema).parse(await (await send(path)).json());
    const own = await list(browser, '/api/sessions');
    expect(own).toMatchObject([{ evaluatorName: 'Olga', role: 'evaluator', isOwn: true }]);
    expect((await list(admin, '/api/sessions/all')).map(({ evaluatorName }) => evaluatorName)).toContain('Olga');
    const address = `/api/sessions/${own[0]!.id}`;
    expect((await stranger(address, { method: 'DELETE' })).status).toBe(404);
    expect((await admin(address, { method: 'DELETE' })).status).toBe(204);
    expect((await browser('/api/session')).status).toBe(401);
  });

  test('the owner of the Controller, who has no session, sees and ends everybody’s', async () => {
    const { browser } = await join('evaluator', 'Otto');
    const owner = sendWith(it.anonymous, { authorization: `Bearer ${ownerToken}` });
    const answer = await owner('/api/sessions/all');
    const all = z.array(SessionSummarySchema).parse(await answer.json());
    const found = all.find(({ evaluatorName }) => evaluatorName === 'Otto')!;
    expect(all.filter(({ isOwn }) => isOwn)).toEqual([]);
    expect((await owner(`/api/sessions/${found.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await browser('/api/session')).status).toBe(401);
    for (const [method, path] of [
      ['GET', '/api/session'],
      ['GET', '/api/sessions'],
      ['POST', '/api/sign-out'],
    ] as const)
      expect(await problemOf(await owner(path, { method }))).toMatchObject({ status: 403, code: 'not-allowed' });
    expect((await it.program('/api/sessions/all')).status).toBe(403);
  });
});
