import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { issueTicket } from '#controller/people/sign-in-tickets.ts';
import { issueToken, verifyToken } from '#controller/people/tokens.ts';
import { startController } from '#controller/start-controller.ts';
import { NewTokenSchema, SessionSchema, TokenSummarySchema } from '#core/protocol/api/access.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { postJson, sendWith, startTestController } from '../../support/controller.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const codeOf = async (response: Response) => [response.status, ProblemSchema.parse(await response.json()).code];
const tokenRequest = postJson({ name: 'laptop', scope: 'agent' });

describe('who may do what', () => {
  test('a stranger is asked to sign in', async () => {
    expect(await codeOf(await it.anonymous('/api/runs'))).toEqual([401, 'not-signed-in']);
    expect(await codeOf(await it.anonymous('/api/session'))).toEqual([401, 'not-signed-in']);
    expect(await codeOf(await it.anonymous('/api/evaluations', postJson({ nonsense: true })))).toEqual([
      401,
      'not-signed-in',
    ]);
  });

  test('a token that is unknown, revoked, or for Agents opens nothing', async () => {
    const { pool } = it.controller;
    const revoked = await issueToken(pool, { name: 'old', scope: 'api' });
    await pool.query('update token set revoked_at = now() where id = $1', [revoked.id]);
    const forAgents = await issueToken(pool, { name: 'laptop', scope: 'agent' });
    for (const token of ['hae_unknown', revoked.token, forAgents.token, '']) {
      const response = await it.anonymous('/api/runs', { headers: { authorization: `Bearer ${token}` } });
      expect(await codeOf(response)).toEqual([401, 'token-refused']);
    }
    expect(await verifyToken(pool, forAgents.token, 'agent')).toMatchObject({ id: forAgents.id, role: null });
    expect(await verifyToken(pool, forAgents.token, 'api')).toBeNull();
  });

  test('a program with a token reads and writes, but makes no access', async () => {
    expect((await it.program('/api/runs')).status).toBe(200);
    expect(await codeOf(await it.program('/api/tokens', tokenRequest))).toEqual([403, 'not-allowed']);
    expect(
      await codeOf(await it.program('/api/account', postJson({ name: 'eve', password: 'long enough to do' }))),
    ).toEqual([403, 'not-allowed']);
  });

  test('a browser changes nothing without the token of its session', async () => {
    const { browser, cookie, csrfToken } = await it.signIn();
    for (const headers of [{}, { 'x-csrf-token': 'wrong' }]) {
      const send = sendWith(it.anonymous, { cookie, ...headers });
      expect((await send('/api/session')).status).toBe(200);
      expect(await codeOf(await send('/api/tokens', tokenRequest))).toEqual([403, 'not-allowed']);
    }
    expect(SessionSchema.parse(await (await browser('/api/session')).json())).toEqual({
      evaluatorName: null,
      role: 'admin',
      csrfToken,
      publicUrl: null,
    });
    expect((await browser('/api/tokens', tokenRequest)).status).toBe(201);
  });

  test('a session that ended, or expired, is over', async () => {
    const { browser } = await it.signIn();
    const out = await browser('/api/sign-out', { method: 'POST' });
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, expect.stringMatching(/Max-Age=0/)]);
    expect((await browser('/api/session')).status).toBe(401);

    const { browser: later } = await it.signIn();
    await it.controller.pool.query('update session set expires_at = now()');
    expect((await later('/api/session')).status).toBe(401);

    const { browser: idle } = await it.signIn();
    await it.controller.pool.query(`update session set last_used_at = now() - interval '73 hours'`);
    expect((await idle('/api/session')).status).toBe(401);
  });

  test('a session opens every Controller of the same database, and ends for all of them', async () => {
    const { browser, cookie } = await it.signIn();
    const log = pino({ level: 'silent' });
    await using other = await startController({
      databaseUrl: it.database.databaseUrl,
      host: '127.0.0.1',
      port: 0,
      webUiFolder: null,
      artefactsFolder: it.artefactsFolder,
      log,
      signal: AbortSignal.timeout(30_000),
    });
    const ask = () => fetch(`${other.url}/api/session`, { headers: { cookie } });
    expect((await ask()).status).toBe(200);
    expect((await browser('/api/sign-out', { method: 'POST' })).status).toBe(204);
    expect((await ask()).status).toBe(401);
  });

  test('a page of another site changes nothing, with any request, and cannot sign anybody in', async () => {
    const { browser } = await it.signIn();
    const own = it.controller.url;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: own },
      { origin: 'https://elsewhere.test' },
      { origin: 'null' },
    ]) {
      for (const [path, send] of [
        ['/api/tokens', browser],
        ['/api/sign-in/ticket', it.anonymous],
      ] as const) {
        const request = postJson({ ...(path === '/api/tokens' ? { name: 'x', scope: 'api' } : { ticket: 'x' }) });
        const answer = await send(path, {
          ...request,
          headers: { ...Object.fromEntries(new Headers(request.headers)), ...headers },
        });
        expect(await codeOf(answer)).toEqual([403, 'not-allowed']);
      }
    }
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: own };
    expect((await browser('/api/tokens', { ...tokenRequest, headers })).status).toBe(201);
    expect(
      (await browser('/api/tokens', { ...tokenRequest, headers: { 'content-type': 'application/json', origin: own } }))
        .status,
    ).toBe(201);
  });
});

describe('a browser that knows several Controllers', () => {
  test('two installations on one machine do not sign each other out, since each has a cookie of its own', async () => {
    await using other = await startTestController();
    await other.controller.pool.query(`update instance set id = 'f00f00f00f00f00f'`); // test databases are clones of one
    await using second = await startController({
      databaseUrl: other.database.databaseUrl,
      host: '127.0.0.1',
      port: 0,
      webUiFolder: null,
      artefactsFolder: other.artefactsFolder,
      log: pino({ level: 'silent' }),
      signal: AbortSignal.timeout(30_000),
    });

    const { cookie } = await it.signIn();
    const entered = await fetch(
      `${second.url}/api/sign-in/ticket`,
      postJson({ ticket: await issueTicket(second.pool) }),
    );
    const otherCookie = entered.headers.getSetCookie()[0]!.split(';')[0]!;
    expect(otherCookie.split('=')[0]).not.toBe(cookie.split('=')[0]);
    const both = { headers: { cookie: `${cookie}; ${otherCookie}` } };
    expect((await it.anonymous('/api/session', both)).status).toBe(200);
    expect((await fetch(`${second.url}/api/session`, both)).status).toBe(200);
  });

  test('the session that a browser had ends when it signs in again', async () => {
    const { browser, cookie } = await it.signIn();
    const { browser: elsewhere } = await it.signIn();
    const again = await it.anonymous('/api/sign-in/ticket', {
      ...postJson({ ticket: await issueTicket(it.controller.pool) }),
      headers: { 'content-type': 'application/json', cookie },
    });
    expect(again.status).toBe(200);
    expect((await browser('/api/session')).status).toBe(401);
    expect((await elsewhere('/api/session')).status).toBe(200);
  });
});

describe('the name that a request is for', () => {
  const statusFor = async (
    controller: { url: string; localUrl: string },
    host: string | undefined,
    headers: Record<string, string> = {},
  ) => {
    const { hostname, port } = new URL(controller.localUrl);
    const request = get({
      host: hostname,
      port,
      path: '/api/health',
      headers: { ...headers, ...(host !== undefined && { host }) },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  test('a name that is not the Controller’s is refused, as a web page could have its own name point here', async () => {
    const { port } = new URL(it.controller.localUrl);
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      '192.0.2.7',
      hostname(),
      `${hostname()}.local:${port}`,
    ])
      expect([host, await statusFor(it.controller, host)]).toEqual([host, 200]);
    for (const host of [`rebound.test:${port}`, 'localhost.rebound.test', '127.0.0.1.rebound.test', 'a b'])
      expect([host, await statusFor(it.controller, host)]).toEqual([host, 403]);
  });

  test('the public address is one of its names, and who sends a token may use any', async () => {
    await using published = await startTestController({ publicUrl: 'https://lab.example:8443' });
    expect(await statusFor(published.controller, 'lab.example:8443')).toBe(200);
    expect(await statusFor(published.controller, 'other.example')).toBe(403);
    expect(await statusFor(published.controller, 'other.example', { authorization: 'Bearer hae_x' })).toBe(200);
  });
});

test('a token is shown once, listed without its secret, and stored as a hash', async () => {
  const { browser } = await it.signIn();
  const made = NewTokenSchema.parse(
    await (await browser('/api/tokens', postJson({ name: 'lab', scope: 'api' }))).json(),
  );
  expect(made.token).toMatch(/^hae_[\w-]{43}$/);

  const program = sendWith(it.anonymous, { authorization: `Bearer ${made.token}` });
  expect((await program('/api/runs')).status).toBe(200);
  const list = await (await browser('/api/tokens')).text();
  expect(list).not.toContain(made.token);
  const listed = TokenSummarySchema.array()
    .parse(JSON.parse(list))
    .find(({ id }) => id === made.id);
  expect(listed).toMatchObject({ name: 'lab', revokedAt: null, lastUsedAt: expect.any(String) as string });

  expect((await browser(`/api/tokens/${made.id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await codeOf(await program('/api/runs'))).toEqual([401, 'token-refused']);
  expect(await codeOf(await browser('/api/tokens/999999', { method: 'DELETE' }))).toEqual([404, 'not-found']);
});
