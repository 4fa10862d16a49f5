import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import { ScenarioProcesses } from '#controller/coordinator/scenario-processes.ts';
import { storeScriptExecution } from '#controller/runs/rounds.ts';
import { realTime } from '#core/clock/time.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { ControllerMessage } from '#core/protocol/agent-messages.ts';
import { AuditPageSchema, type AuditPage } from '#core/protocol/api/audit-entry.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { postJson, startTestController, type Send } from '../../support/controller.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

let admin: Send;
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  admin = (await it.signIn()).browser;
  expect((await admin('/api/account', postJson({ name: 'Ada', password: 'correct horse battery' }))).status).toBe(201);
});

async function read(query: string): Promise<AuditPage> {
  return AuditPageSchema.parse(await (await admin(`/api/audit?${query}`)).json());
}

test('who started, stopped and deleted what is reported, with programs named by their tokens', async () => {
  const created = await it.program('/api/evaluations', postJson(makeEvaluation({ name: 'Two users' })));
  const { id } = StoredEvaluationSchema.parse(await created.json());
  const run = RunSummarySchema.parse(await (await admin(`/api/evaluations/${id}/runs`, postJson({}))).json());
  expect((await admin(`/api/runs/${run.id}/stop`, { method: 'POST' })).status).toBe(200);
  expect((await it.program(`/api/evaluations/${id}`, { method: 'DELETE' })).status).toBe(204);

  const acts = (await read('')).entries.map(({ actor, action, subject }) => ({ actor, action, subject }));
  expect(acts.slice(0, 4)).toEqual([
    { actor: 'API token "test"', action: 'evaluation-deleted', subject: `Evaluation ${id} "Two users"` },
    { actor: 'Ada', action: 'run-stopped', subject: `Run ${run.id} of "Two users"` },
    { actor: 'Ada', action: 'run-started', subject: `Run ${run.id} of "Two users"` },
    { actor: 'API token "test"', action: 'evaluation-created', subject: `Evaluation ${id} "Two users"` },
  ]);
});

test('what failed was not done, and is not reported', async () => {
  const { entries } = await read('');
  expect((await admin('/api/evaluations/999999', { method: 'DELETE' })).status).toBe(404);
  expect((await read('')).entries).toEqual(entries);
});

test('a script stands there once per execution with its text, its hash, its host and its end, by who started the Run', async () => {
  const { pool } = it.controller;
  const { runId } = await storeCompletedRun(pool);
  await pool.query('update run set requested_by = $2 where id = $1', [runId, 'Ada']);
  const { rows } = await pool.query<{ id: string; scenario: string }>(
    'select id, scenario from round where run_id = $1 order by index limit 1',
    [runId],
  );
  const { id: roundId, scenario } = rows[0]!;
  const script = 'tc qdisc show # “naïve”';
  const execution = {
    roundId,
    phase: 'set-up' as const,
    host: 'lab-1',
    script,
    exitCode: 2,
    isTimedOut: false,
    durationMs: 12,
    output: 'no',
  };
  const first = { ...execution, id: randomUUID() };
  for (const executed of [first, first, { ...execution, id: randomUUID(), exitCode: null }])
    await storeScriptExecution(pool, executed);

  const { entries } = await read('action=script-run&text=QDISC');
  const sha256 = createHash('sha256').update(script).digest('hex');
  expect(entries.map(({ actor, subject, details }) => ({ actor, subject, exitCode: details.exitCode }))).toEqual([
    { actor: 'Ada', subject: `Run ${runId} on lab-1`, exitCode: null },
    { actor: 'Ada', subject: `Run ${runId} on lab-1`, exitCode: 2 },
  ]);
  expect(entries[1]).toMatchObject({
    script: { sha256, text: script },
    details: { run: runId, round: roundId, scenario, phase: 'set-up', host: 'lab-1', isTimedOut: false },
  });
});

test('what a process printed is kept once where the answer of the database was lost, and it was asked again', async () => {
  const { pool } = it.controller;
  const { runId } = await storeCompletedRun(pool);
  const { rows } = await pool.query<{ id: string }>('select id from round where run_id = $1 limit 1', [runId]);
  const roundId = rows[0]!.id;
  const evaluation = EvaluationSchema.parse({
    ...makeEvaluation(),
    scenarios: [{ name: 'only', baseline: true, processes: [{ name: 'a proxy', host: 'lab-1', command: 'proxy' }] }],
  });
  const said = new EventEmitter();
  const answerOf = { 'start-process': 'process-started', 'end-process': 'process-ended' } as Record<string, string>;
  const send = (agent: string, message: ControllerMessage) =>
    void said.emit('message', agent, { ...message, type: answerOf[message.type], problem: null, output: 'ready' });
  const context = {
    hub: Object.assign(said, { isConnected: () => true, factsOf: () => null, send }),
    run: { id: runId, evaluation },
    store: async (work: (db: Pool) => Promise<void>) => (await work(pool), work(pool)),
    signal: new AbortController().signal,
    notify: () => undefined,
    time: realTime,
  } as unknown as RunContext;
  using processes = new ScenarioProcesses(context, { roundId, scenario: evaluation.scenarios[0]! });
  await processes.start();
  await processes.end();
  const { rows: kept } = await pool.query<object>('select script, output from script_execution where round_id = $1', [
    roundId,
  ]);
  expect(kept).toEqual([{ script: 'proxy', output: 'readyready' }]);
  expect((await read(`action=script-run&text=Run%20${runId}%20on%20lab-1`)).entries).toHaveLength(1);
});

test('a page has a hundred entries and says where the next begins; a filter goes through all', async () => {
  await it.controller.pool.query(
    `insert into audit_entry (actor, action, subject) select 'Bo', 'token-made', 'token ' || n from generate_series(1, 150) n`,
  );
  const first = await read('text=bo&action=token-made');
  const second = await read(`text=bo&action=token-made&before=${first.next ?? ''}`);
  expect([first.entries.length, second.entries.length, second.next]).toEqual([100, 50, null]);
  expect([first.entries[0]!.subject, first.entries[99]!.subject, second.entries[0]!.subject]).toEqual([
    'token 150',
    'token 51',
    'token 50',
  ]);
  expect((await read('text=token%201%25')).entries).toEqual([]);
});

test('nobody changes or removes an entry, not even the Controller', async () => {
  const { pool } = it.controller;
  for (const statement of [
    `update audit_entry set actor = 'Eve'`,
    'delete from audit_entry',
    'truncate audit_entry',
    'delete from audit_script',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow('Entries of the audit log are neither changed nor removed');
  }
});
