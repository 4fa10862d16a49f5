import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { AuditPageSchema } from '#core/protocol/api/audit-entry.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { NewShareSchema, SharedComparisonSchema, ShareSummarySchema, type NewShare } from '#core/protocol/api/share.ts';
import { postJson, sendWith, startTestController, type Send } from '../../support/controller.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

let evaluator: Send;
let runId: string;
let otherId: string;
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  evaluator = (await it.signIn('evaluator')).browser;
  await evaluator('/api/account', postJson({ name: 'Eve', password: 'correct horse battery' }));
  runId = (await storeCompletedRun(it.controller.pool)).runId;
  otherId = (await storeCompletedRun(it.controller.pool)).runId;
});

const reportOf = (id: string) =>
  ['comparison', 'comparison/outline', 'wire', 'method', 'measurements'].map((part) => `/api/runs/${id}/${part}`);

async function share(order: object = {}): Promise<NewShare> {
  const response = await evaluator(`/api/runs/${runId}/shares`, postJson(order));
  expect(response.status).toBe(201);
  return NewShareSchema.parse(await response.json());
}

const opener = (secret: string) => sendWith(it.anonymous, { authorization: `Bearer ${secret}` });
const listShares = async () =>
  z.array(ShareSummarySchema).parse(await (await evaluator(`/api/runs/${runId}/shares`)).json());

test('a shared link opens the report of its Run, which is the one that others see, and nothing is kept of it', async () => {
  const made = await share();
  const open = opener(made.secret);
  const shared = await open('/api/shared');
  expect(SharedComparisonSchema.parse(await shared.json())).toEqual({
    runId,
    evaluationName: 'Proxy or not',
    expiresAt: made.expiresAt,
  });
  expect([shared.headers.get('cache-control'), shared.headers.get('referrer-policy')]).toEqual([
    'no-store',
    'no-referrer',
  ]);
  for (const path of reportOf(runId))
    expect([path, await (await open(path)).text()]).toEqual([path, await (await it.program(path)).text()]);

  const { rows } = await it.controller.pool.query<{ stored: string; days: number }>(
    'select secret_hash::text as stored, extract(epoch from expires_at - created_at)::float8 / 86400 as days from comparison_share where id = $1',
    [made.id],
  );
  expect(rows[0]!.days).toBe(30);
  expect(rows[0]!.stored).toMatch(/^\\x[0-9a-f]{64}$/);
  expect((await listShares())[0]).toMatchObject({
    id: made.id,
    madeBy: 'Eve',
    lastUsedAt: expect.any(String) as string,
  });
});

test('to a shared link every other route is closed, and so is the report of another Run', async () => {
  const open = opener((await share()).secret);
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ security: z.array(z.unknown()) }))) })
    .parse(await (await it.anonymous('/api/openapi.json')).json());
  const opened = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, runId) })),
  );
  expect(opened.length).toBeGreaterThan(40);
  const answered: string[] = [];
  for (const { method, path } of opened) {
    const { status } = await open(path, { method });
    if (status !== 401) answered.push(`${method} ${path} ${status}`);
  }
  const cellsOf = (id: string) => `/api/runs/${id}/comparison/cells`;
  expect(answered.sort()).toEqual(
    // Cells need to know of whom.
    [...reportOf(runId).map((path) => `GET ${path} 200`), `GET ${cellsOf(runId)} 400`].sort(),
  );

  for (const path of [...reportOf(otherId), cellsOf(otherId)])
    expect([path, (await open(path)).status]).toEqual([path, 403]);
});

test('a link that was revoked, has expired or was never made opens nothing, and who revoked it is recorded', async () => {
  const { id, secret, expiresAt } = await share({ days: 7 });
  const open = opener(secret);
  expect((await evaluator(`/api/shares/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await listShares()).map((each) => each.id)).not.toContain(id);
  expect((await evaluator(`/api/shares/${id}`, { method: 'DELETE' })).status).toBe(404);

  const expired = await share({ days: 90 });
  await it.controller.pool.query(`update comparison_share set expires_at = now() where id = $1`, [expired.id]);
  for (const send of [open, opener(expired.secret), opener(`hae_share_${'x'.repeat(43)}`), it.anonymous])
    for (const path of ['/api/shared', reportOf(runId)[0]!]) expect((await send(path)).status).toBe(401);
  expect(ProblemSchema.parse(await (await open('/api/shared')).json()).message).toMatch(/revoked, has expired/);

  const admin = (await it.signIn()).browser;
  const { entries } = AuditPageSchema.parse(await (await admin('/api/audit')).json());
  const subject = `Comparison of Run ${runId}`;
  expect(entries.filter(({ details }) => details.share === id)).toMatchObject([
    { action: 'share-revoked', actor: 'Eve', subject },
    { action: 'comparison-shared', actor: 'Eve', subject, details: { run: runId, expiresAt } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('hae_share_');
});

test('viewers and programs share nothing, and only for 7, 30 or 90 days', async () => {
  const path = `/api/runs/${runId}/shares`;
  const viewer = (await it.signIn('viewer')).browser;
  expect([(await viewer(path)).status, (await viewer(path, postJson({}))).status]).toEqual([403, 403]);
  expect((await it.program(path, postJson({}))).status).toBe(403);
  expect((await evaluator(path, postJson({ days: 3650 }))).status).toBe(400);
  expect((await evaluator('/api/runs/999/shares', postJson({}))).status).toBe(404);
});

test('who tries wrong secrets has to wait', async () => {
  const wrong = opener(`hae_share_${'w'.repeat(43)}`);
  const statuses = await Promise.all(Array.from({ length: 220 }, async () => (await wrong('/api/shared')).status));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});
