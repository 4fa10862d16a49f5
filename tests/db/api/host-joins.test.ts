import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { HostJoining } from '#controller/agents/host-joins.ts';
import { AuditPageSchema } from '#core/protocol/api/audit-entry.ts';
import { HostJoinSchema, HostJoinsSchema } from '#core/protocol/api/host-join.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { joinAgent } from '#tests/support/join-agent.ts';
import { postJson, startTestController, type Send } from '#tests/support/controller.ts';
import { holdForAll } from '#tests/support/hold.ts';

// Who may join hosts over SSH, and what is refused before ssh is started. tests/testbed/hosts-from-page.test.ts has the ssh.

let admin: Send;
/** Machines that answer nothing: each join lasts until it is stopped. */
const begun: string[] = [];
const joining: HostJoining = (request, { signal }) => {
  begun.push(request.name);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'stopped', hostKey: null }));
  });
};
const it = holdForAll(() => startTestController({ hostJoining: joining }));
beforeAll(async () => {
  admin = (await it.signIn()).browser;
});

const secret = 'correct horse battery';
const request = { name: 'lab-1', address: '192.0.2.7', user: 'ann', login: { kind: 'password', password: secret } };
const post = (send: Send, change: object = {}) => send('/api/host-joins', postJson({ ...request, ...change }));
const list = async () => HostJoinsSchema.parse(await (await admin('/api/host-joins')).json());

test('only an admin who is signed in may, and no program', async () => {
  const others = [
    ...(['evaluator', 'viewer'] as const).map(async (role) => (await it.signIn(role)).browser),
    Promise.resolve(it.program),
  ];
  for (const each of others) {
    const send = await each;
    expect([(await post(send)).status, (await send('/api/host-joins')).status]).toEqual([403, 403]);
  }
  expect((await post(it.anonymous)).status).toBe(401);
  expect(begun).toEqual([]);
});

const mark = path.join(import.meta.dirname, 'mark');

test.for([
  ['address', '-oProxyCommand=touch${IFS}MARK'],
  ['address', '-p22'],
  ['address', '192.0.2.7 -oProxyCommand=id'],
  ['address', '$(touch${IFS}MARK)'],
  ['address', '192.0.2.7\n-oProxyCommand=id'],
  ['address', ''],
  ['address', 'x'.repeat(2000)],
  ['user', '-oProxyCommand=id'],
  ['user', '`id`'],
  ['name', '-oProxyCommand=id'],
  ['name', 'x'.repeat(81)],
  ['port', '22 -oProxyCommand=id'],
  ['port', 0],
  ['port', 65_536],
  ['hostKey', 'no'],
  ['hostKey', `SHA256:${'x'.repeat(43)}\nyes`],
  ['login', { kind: 'password', password: `${secret}\n` }],
  ['login', { kind: 'password', password: secret.repeat(1000) }],
  ['login', { kind: 'key', key: secret }],
  ['login', { kind: 'key', key: `-----BEGIN A-----\n${secret.repeat(1000)}\n-----END A-----` }],
  ['login', { kind: 'file', file: '/etc/shadow', password: secret }],
  ['sshArguments', ['-oProxyCommand=id']],
] as const)('the %s %j is refused, and the answer has nothing secret', async ([field, value]) => {
  const answer = await post(admin, {
    [field]: typeof value === 'string' ? value.replaceAll('MARK', mark) : value,
  });
  const text = await answer.text();
  expect([answer.status, begun, existsSync(mark)]).toEqual([400, [], false]);
  expect(ProblemSchema.parse(JSON.parse(text)).issues).not.toEqual([]);
  expect(text).not.toContain(secret);
});

test('the name of a connected host is refused', async () => {
  await using _agent = await joinAgent(it.controller, { name: 'taken' });
  const answer = await post(admin, { name: 'taken' });
  expect([answer.status, begun]).toEqual([409, []]);
});

test('a few at once, each name once; one that was stopped has an end in the audit log, and can be tried again', async () => {
  const first = HostJoinSchema.parse(await (await post(admin)).json());
  expect(first).toMatchObject({ name: 'lab-1', target: 'ann@192.0.2.7', state: 'connecting' });
  expect(JSON.stringify(first)).not.toContain(secret);
  expect((await post(admin)).status).toBe(409);
  for (const name of ['lab-2', 'lab-3', 'lab-4']) expect((await post(admin, { name })).status).toBe(201);
  expect((await post(admin, { name: 'lab-5' })).status).toBe(429);

  const { browser: evaluator } = await it.signIn('evaluator');
  const stop = (send: Send, id = first.id) => send(`/api/host-joins/${id}`, { method: 'DELETE' });
  expect((await stop(evaluator)).status).toBe(403);
  expect((await stop(admin)).status).toBe(204);
  expect((await list()).joins.map(({ name, state }) => [name, state])).toEqual([
    ['lab-4', 'connecting'],
    ['lab-3', 'connecting'],
    ['lab-2', 'connecting'],
    ['lab-1', 'failed'],
  ]);
  expect((await stop(admin)).status).toBe(204);
  expect((await stop(admin)).status).toBe(404);
  expect((await post(admin)).status).toBe(201);

  const page = await (await admin('/api/audit?text=lab-1')).text();
  expect(page).not.toContain(secret);
  expect(AuditPageSchema.parse(JSON.parse(page)).entries.map(({ action, details }) => [action, details])).toEqual([
    ['ssh-login-begun', { address: 'ann@192.0.2.7' }],
    ['ssh-login-stopped', {}],
    ['ssh-login-ended', { address: 'ann@192.0.2.7', outcome: 'failed' }],
    ['ssh-login-begun', { address: 'ann@192.0.2.7' }],
  ]);
});

test('a Controller that cannot says why', async () => {
  await using plain = await startTestController();
  const { browser } = await plain.signIn();
  const { obstacle } = HostJoinsSchema.parse(await (await browser('/api/host-joins')).json());
  expect(obstacle).toContain('This Controller was not started by "./http-ae up", and opens no connections.');
  const answer = await post(browser);
  expect([answer.status, ProblemSchema.parse(await answer.json()).message]).toEqual([403, obstacle]);
});
