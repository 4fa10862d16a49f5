import { LiveProgress } from '#controller/coordinator/live-progress.ts';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskSpace } from '#controller/captures/artefacts/disk-space.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { executeRun } from '#controller/coordinator/execute-run.ts';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import { runScripts } from '#controller/coordinator/run-scripts.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRound, readRounds } from '#controller/runs/rounds.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { PrometheusMetrics } from '#controller/operating/prometheus-metrics.ts';
import { realTime } from '#core/clock/time.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import { startTestController } from '#tests/support/controller.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { joinAgent } from '#tests/support/join-agent.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

/** A Run with one Round under way, taken up by a Controller that no Agent has come to yet. */
async function takeUpRun(): Promise<{ context: RunContext; stop: AbortController; roundId: string }> {
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const plan = expandEvaluation(evaluation, 1);
  await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: plan.length });
  const run = (await claimRun(pool, '00000000-0000-4000-8000-000000000001'))!;
  const roundId = randomUUID();
  await createRound(pool, run, { id: roundId, planned: plan[0]!, passes: [] });
  const hub = new AgentHub({
    controllerVersion: 'test',
    verifyToken: () => Promise.resolve(null),
    recordAgent: () => Promise.resolve(1),
    log,
  });
  const stop = new AbortController();
  const context: RunContext = {
    run,
    hub,
    disk: new DiskSpace([]),
    siteReader: new SiteReader(),
    storeWatch: { problem: null },
    store: (work) => work(pool),
    uploads: new EventEmitter(),
    metrics: new PrometheusMetrics('test'),
    live: new LiveProgress(),
    notify: () => undefined,
    signal: stop.signal,
    time: realTime,
    leaving: new AbortController().signal,
    lost: new AbortController().signal,
    lookForAgents: () => Promise.resolve(),
    log,
  };
  return { context, stop, roundId };
}

test('a Run that is to stop when it is taken up has its unfinished Round put back first', async () => {
  const { context, stop, roundId } = await takeUpRun();
  const reason = new Error('The evaluator stopped the Run');
  stop.abort(reason);
  await expect(executeRun(context)).rejects.toBe(reason);
  expect(await readRounds(database.pool, context.run.id)).toMatchObject([{ id: roundId, state: 'broken' }]);
});

test('every tear-down script has its turn, though what the others did cannot be stored', async () => {
  const { context, roundId } = await takeUpRun();
  const scenario = ScenarioSchema.parse({
    name: 'direct',
    tearDown: ['ground', 'remote'].map((host) => ({ host, script: 'true' })),
  });
  const tried: string[] = [];
  const store: RunContext['store'] = () => {
    tried.push('a script');
    return Promise.reject(new Error('The disk is full'));
  };
  await expect(runScripts({ ...context, store }, { roundId, scenario, phase: 'tear-down' })).rejects.toThrow(
    'The disk is full',
  );
  expect(tried).toHaveLength(2);
});

test('an Agent that holds a Pass of a Round that is over learns that when it connects', async () => {
  await using it = await startTestController();
  const { pool } = it.controller;
  const { visits } = await storeCompletedRun(pool);
  await pool.query(`update round set state = 'running' from pass where round_id = round.id and pass.id = $1`, [
    visits[0]!.passId,
  ]);
  const { rows } = await pool.query<{ id: string; state: string }>(
    'select pass.id, round.state from pass join round on round.id = round_id',
  );
  const unknown = randomUUID();
  expect(rows.filter(({ state }) => state === 'running')).toHaveLength(2);
  const held = [...rows.map(({ id }) => id), unknown];
  await using agent = await joinAgent(it.controller, {
    name: 'laptop',
    passes: held.map((passId) => ({ passId, state: 'running' })),
  });
  const cancelled = () =>
    agent.heard.flatMap((message) => (message.type === 'cancel-pass' ? [message.passId] : [])).sort();
  await expect
    .poll(cancelled)
    .toEqual([...rows.filter(({ state }) => state === 'completed').map(({ id }) => id), unknown].sort());
});
