import { describe, expect, test } from 'vitest';
import { issueFirstTicket, issueTicket, signInLink } from '#controller/people/sign-in-tickets.ts';
import { SessionSchema } from '#core/protocol/api/access.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { readNetworks } from '#httpep/command/pep-options.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const codeOf = async (response: Response) => [response.status, ProblemSchema.parse(await response.json()).code];

describe('signing in', () => {
  test('a one-time link works once, and leads to an account with which one can sign in again', async () => {
    expect(await issueFirstTicket(it.controller.pool)).not.toBeNull();
    const ticket = await issueTicket(it.controller.pool);
    const first = await it.anonymous('/api/sign-in/ticket', postJson({ ticket }));
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^http_ae_session_[0-9a-f]{16}=[\w-]{43}; .*HttpOnly; SameSite=Strict$/,
    );
    expect(await codeOf(await it.anonymous('/api/sign-in/ticket', postJson({ ticket })))).toEqual([
      401,
      'not-signed-in',
    ]);

    const { browser } = await it.signIn();
    const account = { name: 'Zoë', password: 'correct horse battery' };
    const made = await browser('/api/account', postJson(account));
    expect([made.status, SessionSchema.parse(await made.json()).evaluatorName]).toEqual([201, 'Zoë']);
    expect(await codeOf(await browser('/api/account', postJson({ ...account, name: 'another' })))).toEqual([
      409,
      'conflict',
    ]);
    expect(await issueFirstTicket(it.controller.pool)).toBeNull();

    const { browser: second } = await it.signIn();
    expect(await codeOf(await second('/api/account', postJson(account)))).toEqual([409, 'conflict']);

    const again = await it.anonymous('/api/sign-in', postJson(account));
    expect(SessionSchema.parse(await again.json()).evaluatorName).toBe('Zoë');
    expect(await codeOf(await it.anonymous('/api/sign-in', postJson({ ...account, password: 'wrong' })))).toEqual([
      401,
      'not-signed-in',
    ]);
    expect(await codeOf(await it.anonymous('/api/sign-in', postJson({ ...account, name: 'nobody' })))).toEqual([
      401,
      'not-signed-in',
    ]);
  });

  test('a ticket of yesterday is refused', async () => {
    const ticket = await issueTicket(it.controller.pool);
    await it.controller.pool.query('update sign_in_ticket set expires_at = now()');
    expect((await it.anonymous('/api/sign-in/ticket', postJson({ ticket }))).status).toBe(401);
  });

  test('a short password is refused with the reason', async () => {
    const { browser } = await it.signIn();
    const response = await browser('/api/account', postJson({ name: 'short', password: 'short' }));
    expect(ProblemSchema.parse(await response.json()).issues).toEqual([
      { path: 'password', line: null, message: 'must have at least 10 characters' },
    ]);
  });

  test('nobody takes the name by which the audit log knows others', async () => {
    const { browser } = await it.signIn();
    for (const name of ['the OS user of the Controller', 'API token "ci"', 'Retention setting'])
      expect(await codeOf(await browser('/api/account', postJson({ name, password: 'long enough' })))).toEqual([
        409,
        'conflict',
      ]);
  });

  test('after 200 unknown tokens further ones are slowed down, and a valid one and requests without one are not', async () => {
    await using other = await startTestController();
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`${other.controller.url}/api/evaluations`, { headers })).status;
    const statuses: number[] = [];
    for (let sent = 0; sent < 201; sent++) statuses.push(await statusOf({ authorization: `Bearer ${sent} guess` }));
    expect(statuses).toEqual([...Array.from({ length: 200 }, () => 401), 429]);
    expect((await other.program('/api/evaluations')).status).toBe(200);
    expect(await statusOf({})).toBe(401);
    // Who reports a new address with each request is known by that of the connection.
    expect(await statusOf({ authorization: 'Bearer guess', 'x-forwarded-for': '192.0.2.1' })).toBe(429);
  });

  test('behind a trusted proxy, bad tokens and sign-ins count for the address that it reports, and alike tokens for all', async () => {
    await using other = await startTestController({ trustedProxies: readNetworks(['127.0.0.1'], '--trusted-proxy') });
    const guess = async (client: string, token: string) =>
      (
        await other.anonymous('/api/shared', {
          headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': client },
        })
      ).status;
    const guesses = (count: number, make: (index: number) => [string, string]) =>
      Promise.all(Array.from({ length: count }, (_, index) => guess(...make(index))));
    expect(new Set(await guesses(200, (index) => ['192.0.2.1', `hae_${index}`]))).toEqual(new Set([401]));
    expect(await guess('192.0.2.1', 'hae_share_x')).toBe(429);
    expect(await guess('192.0.2.2', 'hae_share_x')).toBe(401);

    const alike = 'hae_share_known-beginning-';
    expect(new Set(await guesses(200, (index) => [`198.51.100.${index}`, `${alike}${index}`]))).toEqual(new Set([401]));
    expect(await guess('203.0.113.1', `${alike}x`)).toBe(429);
    expect(await guess('203.0.113.1', 'hae_share_another')).toBe(401);

    const signIn = async (client: string) => {
      const { headers, ...request } = postJson({ ticket: 'guess' });
      const sent = { ...request, headers: { ...(headers as object), 'x-forwarded-for': client } };
      return (await other.anonymous('/api/sign-in/ticket', sent)).status;
    };
    for (let sent = 0; sent < 10; sent++) expect(await signIn('192.0.2.1')).toBe(401);
    expect([await signIn('192.0.2.1'), await signIn('192.0.2.2')]).toEqual([429, 401]);
  });

  test('after ten failures an address has to wait', async () => {
    await using other = await startTestController();
    const attempts = Array.from({ length: 11 }, () =>
      other.anonymous('/api/sign-in/ticket', postJson({ ticket: 'guess' })),
    );
    const statuses = (await Promise.all(attempts)).map((response) => response.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  test('the one-time link keeps its secret out of what a server sees', () => {
    const link = new URL(signInLink('http://127.0.0.1:8080', 'SECRET', '/runs/7'));
    expect([link.pathname, link.search, link.hash]).toEqual(['/sign-in', '', '#ticket=SECRET&next=/runs/7']);
  });
});
