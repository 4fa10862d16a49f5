import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { executeRound } from '#controller/coordinator/execute-round.ts';
import { executeRun } from '#controller/coordinator/execute-run.ts';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import { runScripts } from '#controller/coordinator/run-scripts.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRound, readRounds } from '#controller/runs/rounds.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import type { ControllerMessage } from '#core/protocol/agent-messages.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import { startTestController } from '#tests/support/controller.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { joinAgent } from '#tests/support/join-agent.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { takeUpRun } from './support/take-up-run.ts';
import { holdForEach } from '#tests/support/hold.ts';

const database = holdForEach(createTestDatabase);

/** A Run with one Round under way, taken up by a Controller that no Agent has come to yet. */
async function takeUpBegunRun(): Promise<{ context: RunContext; stop: AbortController; roundId: string }> {
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const plan = expandEvaluation(evaluation, 1);
  await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: plan.length });
  const stop = new AbortController();
  const context = await takeUpRun(pool, stop.signal);
  const roundId = randomUUID();
  await createRound(pool, context.run, { id: roundId, planned: plan[0]!, passes: [] });
  return { context, stop, roundId };
}

test('a Run that is to stop when it is taken up has its unfinished Round put back first', async () => {
  const { context, stop, roundId } = await takeUpBegunRun();
  const reason = new Error('The evaluator stopped the Run');
  stop.abort(reason);
  await expect(executeRun(context)).rejects.toBe(reason);
  expect(await readRounds(database.pool, context.run.id)).toMatchObject([{ id: roundId, state: 'broken' }]);
});

test('every tear-down script has its turn, though what the others did cannot be stored', async () => {
  const { context, roundId } = await takeUpBegunRun();
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

test('a Round that an error of the program ends is broken, says so, and has the Passes of hosts cancelled that were away', async () => {
  const { context } = await takeUpBegunRun();
  const { pool } = database;
  let looks = 0;
  const isConnected = () => {
    if (looks++ === 0) throw new Error('no such property');
    return false;
  };
  const sent: ControllerMessage['type'][] = [];
  const send = (_: string, { type }: ControllerMessage) => sent.push(type);
  const hub = Object.assign(new EventEmitter(), { isConnected, factsOf: () => null, send });
  const planned = expandEvaluation(context.run.evaluation, 1)[1]!;
  await expect(executeRound({ ...context, hub }, planned)).rejects.toThrow('no such property');
  const { rows } = await pool.query('select state, problem from round where index = 1');
  expect(rows).toEqual([{ state: 'broken', problem: 'Internal error: no such property' }]);
  const passes = context.run.evaluation.userAgents.map(() => 'cancel-pass');
  expect(sent).toEqual([...passes, ...sent.filter((type) => type === 'upload-visits')]);
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
