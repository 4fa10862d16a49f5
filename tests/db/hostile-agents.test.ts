import { randomUUID } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { Queryable } from '#controller/database/queryable.ts';
import { describeSnapshot } from '#controller/visits/snapshot-columns.ts';
import { toVisitRow } from '#controller/visits/store-visits.ts';
import { VisitWriters } from '#controller/ingest/visit-writers.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { toSentVisit, type CompressedVisit } from '#core/protocol/sent-visit.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { compressVisit } from '#tests/support/compress-visit.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { joinScripted, type ScriptedAgent } from './support/scripted-agent.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** The machine may be busy. */
const within = { timeout: 20_000 };

const it = holdForAll(() => startTestController());

/** A Run that one Agent makes, with one URL list of two pages: it makes the Round ready and returns its order. */
async function runOf(agents: ScriptedAgent[], names: string[]): Promise<{ runId: string; orders: PassOrder[] }> {
  const evaluation = {
    name: randomUUID(),
    urlLists: { pages: ['http://origin.test/{1..2}'] },
    userAgents: names.map((name) => ({ name: `user of ${name}`, host: name, engine: 'http', urlList: 'pages' })),
    scenarios: [{ name: 'only', baseline: true }],
    repetition: { rounds: 1, warmUp: false, attempts: 1 },
  };
  const { id } = (await (await it.program('/api/evaluations', postJson(evaluation))).json()) as { id: string };
  const { id: runId } = (await (await it.program(`/api/evaluations/${id}/runs`, postJson({}))).json()) as {
    id: string;
  };
  const orders = await Promise.all(agents.map(async (agent) => (await agent.next('prepare-pass')).order));
  for (const [index, agent] of agents.entries()) agent.say({ type: 'pass-ready', passId: orders[index]!.passId });
  for (const [index, agent] of agents.entries()) {
    const { startEpochMs } = await agent.next('start-pass');
    agent.say({ type: 'pass-started', passId: orders[index]!.passId, startedEpochMs: startEpochMs });
  }
  return { runId, orders };
}

const readRun = async (runId: string) => RunDetailSchema.parse(await (await it.program(`/api/runs/${runId}`)).json());

function visitOf(order: Pick<PassOrder, 'passId' | 'visits'>, sequence: number, change: Partial<Visit> = {}): Visit {
  const { url, repetition } = order.visits[sequence]!;
  return {
    id: randomUUID(),
    passId: order.passId,
    sequence,
    url,
    repetition,
    startedEpochMs: Date.now(),
    clockOffsetMs: 0,
    clockErrorMs: 0.1,
    outcome: { status: 'ok', snapshot: makeSnapshot({ url, totalMs: 100 }) },
    ...change,
  };
}

test('an Agent adds nothing to a Round that is complete, and makes no Visit that was not ordered', async () => {
  await using agent = await joinScripted(it, 'laptop');
  await using other = await joinScripted(it, 'other');
  const { visits } = await storeCompletedRun(it.controller.pool, {
    evaluation: EvaluationSchema.parse({
      name: 'done',
      urlLists: { pages: ['http://origin.test/{1..2}'] },
      userAgents: [{ name: 'u', host: 'laptop', engine: 'http', urlList: 'pages' }],
      scenarios: [{ name: 'only', baseline: true }],
    }),
  });
  const [first] = visits as [Visit];
  const count = async () =>
    (
      await it.controller.pool.query<{ visits: number }>(
        'select count(*)::int as visits from visit where pass_id = $1',
        [first.passId],
      )
    ).rows[0]!.visits;
  const before = await count();
  const forged = (change: Partial<Visit>): Visit => ({ ...first, id: randomUUID(), ...change });
  expect(
    await agent.upload([
      forged({ sequence: 77 }),
      forged({}),
      forged({ url: 'http://elsewhere.test/' }),
      forged({ repetition: 2 }),
      first,
    ]),
  ).toEqual(['not-as-ordered', 'made-already', 'not-as-ordered', 'not-as-ordered', 'stored']);
  expect(await other.upload([forged({ sequence: 1 })])).toEqual(['not-ordered']);
  expect(await count()).toBe(before);

  const { runId, orders } = await runOf([agent], ['laptop']);
  const [order] = orders as [PassOrder];
  const twice = visitOf(order, 0);
  expect(await agent.upload([twice, visitOf(order, 0), { ...visitOf(order, 1), sequence: 2 }])).toEqual([
    'stored',
    'made-already',
    'not-as-ordered',
  ]);
  agent.say({ type: 'pass-ended', passId: order.passId });
  expect(await agent.upload([visitOf(order, 1)])).toEqual(['stored']);
  await expect.poll(async () => (await readRun(runId)).state, within).toBe('completed');
});

test('a Visit that the database cannot store is refused alone, counted, and ends its Round at once; those of others are stored', async () => {
  await using bad = await joinScripted(it, 'bad');
  await using good = await joinScripted(it, 'good');
  const { runId, orders } = await runOf([bad, good], ['bad', 'good']);
  const [badOrder, goodOrder] = orders as [PassOrder, PassOrder];
  // What the schema lets pass and an index or a column of the database does not: it is made to refuse by a rule of its own here, as the known ways are closed.
  await it.controller.pool.query(`alter table visit add constraint test_only check (clock_error_ms <> 13)`);
  const poison = visitOf(badOrder, 0, { clockErrorMs: 13 });
  const [fates] = await Promise.all([
    bad.upload([poison, visitOf(badOrder, 1)]),
    good.upload([visitOf(goodOrder, 0), visitOf(goodOrder, 1)]),
  ]);
  expect(fates).toEqual(['unstorable', 'stored']);
  bad.say({ type: 'pass-ended', passId: badOrder.passId });
  good.say({ type: 'pass-ended', passId: goodOrder.passId });
  await expect.poll(async () => (await readRun(runId)).state, within).toBe('failed');
  const {
    rounds: [round],
  } = await readRun(runId);
  expect(round).toMatchObject({ state: 'broken', problem: expect.stringContaining('1 of user of bad') as string });
  expect(round!.passes.map(({ userAgent, visitsRefused }) => [userAgent, visitsRefused])).toEqual([
    ['user of bad', 1],
    ['user of good', 0],
  ]);
  expect(bad.socket.readyState).toBe(WebSocket.OPEN);
  await it.controller.pool.query('alter table visit drop constraint test_only');
});

test('names of protocols that PostgreSQL knows no text for are stored, and times that are none are refused', async () => {
  await using agent = await joinScripted(it, 'odd');
  const { runId, orders } = await runOf([agent], ['odd']);
  const [order] = orders as [PassOrder];
  const page = makePageSnapshot({ url: order.visits[0]!.url, totalMs: 100 }, 3);
  const snapshot = { ...page, requests: page.requests.map((request) => ({ ...request, protocol: 'h\0x\ud800' })) };
  expect(await agent.upload([visitOf(order, 0, { outcome: { status: 'ok', snapshot } })])).toEqual(['stored']);
  agent.say({ type: 'pass-ended', passId: order.passId });
  expect(await agent.upload([visitOf(order, 1)])).toEqual(['stored']);
  await expect.poll(async () => (await readRun(runId)).state, within).toBe('completed');
  const { rows } = await it.controller.pool.query<{ http_versions: object }>(
    'select http_versions from visit where pass_id = $1 and sequence = 0',
    [order.passId],
  );
  expect(rows[0]!.http_versions).toEqual({ 'h\uFFFDx\uFFFD': 4 });

  agent.say({ type: 'visits-waiting' });
  await agent.next('upload-visits');
  const { visit, snapshot: compressed } = compressVisit(visitOf(order, 1, { startedEpochMs: 5e-324 }));
  agent.say({ type: 'visits', visits: [visit] }, [compressed!]);
  expect(await agent.next('refused')).toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('startedEpochMs') as string,
  });
});

test('a Round whose Agent gives a reason that PostgreSQL knows no text for is broken for that reason', async () => {
  await using agent = await joinScripted(it, 'garbled');
  const { runId, orders } = await runOf([agent], ['garbled']);
  agent.say({ type: 'pass-lost', passId: orders[0]!.passId, problem: 'no\0t \ud800' });
  await expect.poll(async () => (await readRun(runId)).state, within).toBe('failed');
  const { problem, rounds } = await readRun(runId);
  expect(rounds).toMatchObject([{ state: 'broken', problem: 'no\uFFFDt \uFFFD' }]);
  expect(problem).toContain('Last problem: no\uFFFDt \uFFFD');
});

test('a Snapshot that decompresses to a gigabyte is refused as soon as it is too large, and those beside it are stored, by gzip too', async () => {
  await using bad = await joinScripted(it, 'bomber');
  await using good = await joinScripted(it, 'steady');
  const { runId, orders } = await runOf([bad, good], ['bomber', 'steady']);
  const [badOrder, goodOrder] = orders as [PassOrder, PassOrder];
  const withBytes = (visit: Visit, snapshot: Uint8Array<ArrayBuffer>): CompressedVisit => ({
    visit: toSentVisit(visit, snapshot),
    snapshot,
  });
  const bomb = new Uint8Array(zstdCompressSync(Buffer.alloc(2 ** 30)));
  expect(bomb.length).toBeLessThan(50_000);
  const json = JSON.stringify((visitOf(badOrder, 1).outcome as { snapshot: object }).snapshot);
  const beforeBytes = process.memoryUsage.rss();
  const [fates, others] = await Promise.all([
    bad.upload([
      withBytes(visitOf(badOrder, 0), bomb),
      withBytes(visitOf(badOrder, 1), new Uint8Array(gzipSync(json))),
    ]),
    good.upload([visitOf(goodOrder, 0), withBytes(visitOf(goodOrder, 1), new Uint8Array(zstdCompressSync('{}')))]),
  ]);
  expect(fates).toEqual(['too-large', 'stored']);
  expect(others).toEqual(['stored', 'unreadable']);
  expect(process.memoryUsage.rss() - beforeBytes).toBeLessThan(600e6);
  expect(bad.socket.readyState).toBe(WebSocket.OPEN);
  for (const [agent, { passId }] of [
    [bad, badOrder],
    [good, goodOrder],
  ] as const)
    agent.say({ type: 'pass-ended', passId });
  await expect.poll(async () => (await readRun(runId)).state, within).toBe('failed');
  const { rows } = await it.controller.pool.query<{ totalMs: number }>(
    `select (readings ->> 'totalMs')::float8 as "totalMs" from visit where pass_id = any($1) order by pass_id`,
    [[badOrder.passId, goodOrder.passId]],
  );
  expect(rows).toEqual([{ totalMs: 100 }, { totalMs: 100 }]);

  bad.say({ type: 'visits-waiting' });
  await bad.next('upload-visits');
  bad.say({ type: 'visits', visits: [compressVisit(visitOf(badOrder, 0)).visit] });
  expect(await bad.next('refused')).toMatchObject({ code: 'invalid-input' });
});

test('an Agent with many Visits has a statement at a time, and others are stored between', async () => {
  const { pool } = it.controller;
  const { visits } = await storeCompletedRun(pool);
  const rowsOf = (count: number, from: number, bytes = 1) =>
    Array.from({ length: count }, (_, index) => {
      const visit = { ...visits[0]!, id: randomUUID(), sequence: from + index };
      const row = {
        visit: toSentVisit(visit, new Uint8Array(1)),
        page: visit.url,
        described: describeSnapshot(null, []),
      };
      return toVisitRow({ ...row, snapshot: new Uint8Array(bytes) });
    });
  const statements: number[] = [];
  const query = (text: string, values: [number, Buffer, number[]]) => {
    statements.push(values[2].length);
    return pool.query(text, values);
  };
  const writers = new VisitWriters({ query } as unknown as Queryable, pino({ level: 'silent' }));
  const stored = await Promise.all([
    writers.store('large', rowsOf(250, 1000)),
    writers.store('small', rowsOf(1, 2000)),
    writers.store('long', rowsOf(2, 3000, 1.5 * 2 ** 20)),
  ]);
  expect(stored.map(({ size }) => size)).toEqual([0, 0, 0]);
  // That of the small one has the first of the long ones, too.
  expect(statements.toSorted((one, other) => other - one)).toEqual([100, 100, 50, 2, 1]);
  expect(statements.indexOf(2)).toBeLessThan(statements.lastIndexOf(100));
});

test('a clock that PostgreSQL has no number for does not hold up those of other Agents', async () => {
  await using odd = await joinScripted(it, 'odd clock');
  await using plain = await joinScripted(it, 'plain clock');
  odd.say({ type: 'clock-read', offsetMs: 5e-324, errorMs: 1e300 });
  plain.say({ type: 'clock-read', offsetMs: 1.25, errorMs: 0.5 });
  const read = async () =>
    (
      await it.controller.pool.query<{ name: string; offset: number; error: number }>(
        `select name, clock_offset_ms as offset, clock_error_ms as error from agent where name like '% clock' order by name`,
      )
    ).rows;
  await expect.poll(read, within).toEqual([
    { name: 'odd clock', offset: 0, error: 1e300 },
    { name: 'plain clock', offset: 1.25, error: 0.5 },
  ]);
});

test('who uploads out of turn has its line broken', async () => {
  await using agent = await joinScripted(it, 'hasty');
  const order = { passId: randomUUID(), visits: [{ url: 'http://origin.test/', repetition: 1 }] };
  agent.say({ type: 'visits', visits: [compressVisit(visitOf(order, 0)).visit] });
  await agent.closed;
});

test('progress is believed of the Agent that makes the Pass only, and of Visits that were ordered', async () => {
  await using agent = await joinScripted(it, 'teller');
  await using liar = await joinScripted(it, 'liar');
  const { runId, orders } = await runOf([agent], ['teller']);
  const [{ passId, visits }] = orders as [PassOrder];
  const claim = (from: typeof agent, change: object) =>
    from.say({ type: 'visit-ended', passId, sequence: 1, url: visits[1]!.url, code: null, totalMs: 1, ...change });
  const heard = async (from: typeof agent) => {
    from.say({ type: 'clock-request', agentEpochMs: 1 });
    await from.next('clock-reply');
  };
  claim(liar, {});
  for (let index = 0; index < 1000; index++) claim(liar, { passId: randomUUID() });
  claim(agent, { sequence: 5000 });
  claim(agent, { url: 'http://elsewhere.test/' });
  await Promise.all([heard(liar), heard(agent)]);
  const progress = async () => (await readRun(runId)).rounds[0]!.passes[0]!.visitsMade;
  expect(await progress()).toBe(0);
  claim(agent, {});
  await heard(agent);
  expect(await progress()).toBe(2);
  await it.program(`/api/runs/${runId}/stop`, { method: 'POST' });
  await expect.poll(async () => (await readRun(runId)).state, within).toBe('stopped');
});
