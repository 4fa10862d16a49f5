import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ReportMaker } from '#controller/reports/report-maker.ts';
import { readWebhookUrl, sendCrossing } from '#controller/runs/send-crossings.ts';
import { readTrend } from '#controller/runs/run-trends.ts';
import { EvaluationTrendSchema } from '#core/protocol/api/evaluation-trend.ts';
import { startTestController } from '#tests/support/controller.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';

/** The program of an operator that takes messages, and answers as the test says. */
interface Webhook extends AsyncDisposable {
  url: string;
  received: { path: string | undefined; body: unknown }[];
  /** A status; none: it does not answer. */
  answer: { status?: number; location?: string };
  next: () => Promise<unknown>;
}

async function startWebhook(): Promise<Webhook> {
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      webhook.received.push({ path: request.url, body: JSON.parse(body) });
      server.emit('received');
      const { status, location } = webhook.answer;
      if (status !== undefined) response.writeHead(status, location === undefined ? {} : { location }).end('thanks');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const webhook: Webhook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=secret`,
    received: [],
    answer: { status: 204 },
    next: () => once(server, 'received'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return webhook;
}

// No Controller: it would compute the figures of these Runs by itself, in another order.
let database: TestDatabase;
let reports: ReportMaker;
let webhook: Webhook;
let evaluationId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  reports = new ReportMaker(database);
});
afterAll(async () => {
  await reports[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  evaluationId = '';
  await database.pool.query('delete from run_threshold');
});

const repetition = { order: 'random-blocks' as const, rounds: 4, warmUp: false, attempts: 1 };

const storeRun = (pool: Pool, factor: number) =>
  storeCompletedRun(pool, {
    evaluation: makeEvaluation({ name: 'Nightly', repetition, trend: { threshold: 0.1 } }),
    totalMsOf: ({ scenario, block }) => (scenario === 'proxy' ? factor : 1) * (1000 + 3 * block) + Math.sin(7 * block),
  });

/** A Run of the Evaluation, whose Scenario `proxy` takes so much of the time of the baseline; its figures are computed. */
async function measure(factor: number, { state = 'completed' } = {}): Promise<string> {
  const { pool } = database;
  const stored = await storeRun(pool, factor);
  evaluationId ||= stored.evaluationId;
  await pool.query('update run set evaluation_id = $2, state = $3, labels = $4 where id = $1', [
    stored.runId,
    evaluationId,
    state,
    JSON.stringify({ build: '7' }),
  ]);
  await reports.readComparison(stored.runId);
  return stored.runId;
}

const send = (options: { answerWithinMs?: number } = {}) =>
  sendCrossing(
    {
      pool: database.pool,
      webhookUrl: webhook.url,
      url: 'https://lab.example',
      log: pino({ level: 'silent' }),
      ...options,
    },
    new AbortController().signal,
  );

const readSides = async () => {
  const { rows } = await database.pool.query<{ side: string; crosses: boolean }>(
    'select side, crosses from run_threshold order by run_id',
  );
  return rows.map(({ side, crosses }) => (crosses ? `${side}!` : side));
};

test('the first Run below the threshold, and the first above it again, are posted once, in a small message', async () => {
  await using started = await startWebhook();
  webhook = started;
  const runs = [await measure(0.7), await measure(0.95), await measure(0.96), await measure(0.8)];
  await measure(0.99, { state: 'stopped' });
  expect(await readSides()).toEqual(['above', 'below!', 'below', 'above!']);
  expect([await send(), await send(), await send()]).toEqual([true, true, false]);
  expect(webhook.received.map(({ body }) => body)).toMatchObject([
    { side: 'below', run: { id: runs[1] } },
    { side: 'above', run: { id: runs[3] } },
  ]);
  expect(webhook.received[0]!.body).toEqual({
    event: 'threshold-crossed',
    side: 'below',
    threshold: 0.1,
    metric: 'totalMs',
    evaluation: {
      id: evaluationId,
      name: 'Nightly',
      url: `https://lab.example/evaluations/${evaluationId}?view=trend`,
    },
    run: {
      id: runs[1],
      labels: { build: '7' },
      startedAt: expect.any(String) as string,
      url: `https://lab.example/runs/${runs[1]}/comparison`,
    },
    scenarios: [
      {
        scenario: 'proxy',
        reduction: expect.closeTo(0.05, 3) as number,
        low: expect.closeTo(0.05, 2) as number,
        high: expect.closeTo(0.05, 2) as number,
        side: 'below',
      },
    ],
  });
  // The figures of a Run that are computed again change nothing.
  await database.pool.query(`update run_digest set definition = 'earlier'`);
  await using others = new ReportMaker(database);
  await others.readComparison(runs[1]!);
  expect(await send()).toBe(false);
});

test('a message lists 20 Scenarios and counts the others', async () => {
  await using started = await startWebhook();
  webhook = started;
  await measure(0.7);
  const runId = await measure(0.95);
  await database.pool.query(
    `update run_digest set trend = jsonb_set(trend::jsonb, '{scenarios}', (
       select jsonb_agg(each) from jsonb_array_elements(trend::jsonb -> 'scenarios') as each, generate_series(1, 23)
       where each ->> 'scenario' = 'proxy')) where run_id = $1`,
    [runId],
  );
  expect(await send()).toBe(true);
  const { scenarios, ...message } = webhook.received[0]!.body as { scenarios: object[] };
  expect(scenarios).toHaveLength(20);
  expect(message).toMatchObject({ moreScenarios: 3 });
});

test.for([
  [{ status: 500 }, 'it answered 500', {}],
  [{ status: 302, location: '/elsewhere' }, 'it answered 302', {}],
  [{}, 'it did not answer within 0.05 s', { answerWithinMs: 50 }],
] as const)(
  'a webhook that answers %j is tried again later, follows nothing, and the trend says so',
  async ([answer, problem, limits]) => {
    await using started = await startWebhook();
    webhook = started;
    webhook.answer = answer;
    const run = await measure(0.95);
    const readProblem = async () => {
      const { runs } = await readTrend(database.pool, { evaluationId, threshold: 0.1, limit: 10 });
      return runs.map(({ webhookProblem }) => webhookProblem);
    };
    expect([await send(limits), await send()]).toEqual([true, false]);
    expect(await readProblem()).toEqual([problem]);
    expect(webhook.received.map(({ path }) => path)).toEqual(['/hook?key=secret']);
    const { rows } = await database.pool.query('select state from run where id = $1', [run]);
    expect(rows).toEqual([{ state: 'completed' }]);

    webhook.answer = { status: 200 };
    await database.pool.query(`update run_threshold set tried_at = now() - interval '1 min'`);
    expect([await send(), await send()]).toEqual([true, false]);
    expect(await readProblem()).toEqual([null]);
  },
);

test('a message is given up after five attempts, or when it is a day old', async () => {
  await using started = await startWebhook();
  webhook = started;
  webhook.answer = { status: 500 };
  await measure(0.95);
  for (let attempt = 0; attempt < 5; attempt++) {
    expect(await send()).toBe(true);
    await database.pool.query(`update run_threshold set tried_at = now() - interval '1 min'`);
  }
  expect(await send()).toBe(false);
  await database.pool.query(`update run_threshold set attempts = 0, judged_at = now() - interval '25 hours'`);
  expect(await send()).toBe(false);
});

test('a Controller that was started with a webhook posts by itself', async () => {
  await using started = await startWebhook();
  webhook = started;
  await using controller = await startTestController({ webhookUrl: webhook.url });
  const received = webhook.next();
  const stored = await storeRun(controller.controller.pool, 0.95);
  await controller.program(`/api/runs/${stored.runId}/comparison`);
  await received;
  expect(webhook.received).toMatchObject([
    { body: { run: { id: stored.runId, url: `${controller.controller.url}/runs/${stored.runId}/comparison` } } },
  ]);
  const trend = await controller.program(`/api/evaluations/${stored.evaluationId}/trend`);
  expect(EvaluationTrendSchema.parse(await trend.json())).toMatchObject({
    threshold: 0.1,
    runs: [{ id: stored.runId }],
  });
});

test('the address is that of the operator, and complete', () => {
  expect(readWebhookUrl({})).toBeNull();
  expect(readWebhookUrl({ WEBHOOK_URL: 'https://hooks.example/x?key=1' })).toBe('https://hooks.example/x?key=1');
  for (const WEBHOOK_URL of ['hooks.example', 'ftp://hooks.example', 'https://ann:pw@hooks.example'])
    expect(() => readWebhookUrl({ WEBHOOK_URL })).toThrow('WEBHOOK_URL must be a complete http or https URL');
});
