import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createRound } from '#controller/runs/rounds.ts';
import { createRun, type OwnedRun } from '#controller/runs/stored-runs.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { DerivationPool } from '#controller/ingest/derivation-pool.ts';
import { VisitIngest } from '#controller/ingest/accept-uploads.ts';
import { compareRun } from '#controller/reports/compare-run.ts';
import { outlineRun } from '#controller/reports/outline-run.ts';
import { EvaluationDocumentSchema } from '#core/evaluation/evaluation-document.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { EvaluationSummarySchema } from '#core/protocol/api/evaluation-summary.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { postJson, postYaml, startTestController } from '../../support/controller.ts';
import { awaitRun } from '../../browser/support/await-run.ts';
import { compressVisit } from '../../support/compress-visit.ts';
import { makeSnapshot } from '../../support/make-snapshot.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const written = {
  name: 'Capacity',
  urlLists: { pages: ['{origin}/images/{1,2}', 'http://origin.test/plain'] },
  userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
  scenarios: [
    {
      name: '{mode} from port {port}',
      group: 'port {port}',
      sweep: { port: [80, 81], mode: ['direct', 'pipelined'] },
      except: [{ port: 81, mode: 'pipelined' }],
      baseline: { mode: 'direct' },
      variables: { origin: 'http://origin.test:{port}' },
      browser: { pipeliningDepth: 4 },
    },
    { name: 'again', group: 'port 81', variables: { origin: 'http://origin.test:81' } },
  ],
  repetition: { rounds: 3, warmUp: false },
};
const names = ['direct from port 80', 'direct from port 81', 'pipelined from port 80', 'again'];

test('an Evaluation with a sweep is stored as it was written, and counted and run as what it stands for', async () => {
  const stored = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postYaml(stringify(written)))).json(),
  );
  expect(stored.document.scenarios[0]).toEqual(written.scenarios[0]);
  const yaml = await (await it.program(`/api/evaluations/${stored.id}.yaml`)).text();
  expect(EvaluationDocumentSchema.parse(parse(yaml))).toEqual(stored.document);
  const [summary] = EvaluationSummarySchema.array().parse(await (await it.program('/api/evaluations')).json());
  expect(summary!.scenarios.map(({ name, baseline }) => [name, baseline])).toEqual([
    ['direct from port 80', true],
    ['direct from port 81', true],
    ['pipelined from port 80', false],
    ['again', false],
  ]);
  const run = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${stored.id}/runs`, postJson({}))).json(),
  );
  const { rows } = await it.controller.pool.query<{ document: unknown; rounds_planned: number }>(
    'select document, rounds_planned from run where id = $1',
    [run.id],
  );
  expect(rows[0]!.rounds_planned).toBe(3 * 4);
  expect(EvaluationSchema.parse(rows[0]!.document).scenarios.map(({ name }) => name)).toEqual(names);
  expect(JSON.stringify(rows[0]!.document)).not.toMatch(/"sweep"|\{port\}/);
  await it.program(`/api/runs/${run.id}/stop`, { method: 'POST' });
  await awaitRun(it.program, run.id);
});

test('a sweep of 10,000 Scenarios is rejected with the line of the sweep, and nothing is stored', async () => {
  const before = await (await it.program('/api/evaluations')).text();
  const hundred = Array.from({ length: 100 }, (_, index) => index);
  const scenarios = [{ name: '{a} {b}', sweep: { a: hundred, b: hundred } }];
  const response = await it.program('/api/evaluations', postYaml(stringify({ ...written, scenarios })));
  expect(response.status).toBe(400);
  const { issues } = ProblemSchema.parse(await response.json());
  expect(issues).toEqual([
    {
      path: 'scenarios[0].sweep',
      line: expect.any(Number) as number,
      message: expect.stringContaining('would be 10000 Scenarios, but an Evaluation has at most 200') as string,
    },
  ]);
  expect(await (await it.program('/api/evaluations')).text()).toBe(before);
});

test('a Visit is stored with its page and the address that was loaded, and both are exported', async () => {
  const { pool } = it.controller;
  const evaluation = EvaluationSchema.parse(written);
  const { id: evaluationId } = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(written))).json(),
  );
  const pass = { id: randomUUID(), userAgent: 'alice', agent: 'laptop', visitsExpected: 3, engineVersion: null };
  // In one transaction: the coordinator never sees the Run open.
  const runId = await inTransaction(pool, async (client) => {
    const id = await createRun(client, { evaluationId, evaluation, seed: 1, roundsPlanned: 12 });
    const run: OwnedRun = { id, epoch: 0, seed: 1, state: 'running', evaluation };
    const planned = { index: 0, block: 1, scenario: 'direct from port 81', warmUp: false };
    await createRound(client, run, { id: randomUUID(), planned, passes: [pass] });
    await client.query(`update run set state = 'stopped', started_at = now(), ended_at = now() where id = $1`, [id]);
    return id;
  });
  const visitOf = (sequence: number, url: string) => ({
    id: randomUUID(),
    passId: pass.id,
    sequence,
    url,
    repetition: 1,
    startedEpochMs: 1_800_000_000_000,
    clockOffsetMs: 0,
    clockErrorMs: 0,
    outcome: { status: 'ok' as const, snapshot: makeSnapshot({ url, totalMs: 100 }) },
  });
  await using derivations = new DerivationPool();
  const ingest = new VisitIngest(pool, { derivations, log: pino({ level: 'silent' }) });
  const [first, plain] = [visitOf(0, 'http://origin.test:81/images/1'), visitOf(2, 'http://origin.test/plain')];
  const wrong = visitOf(1, 'http://origin.test:80/images/2');
  const { storedIds, refusals } = await ingest.store('laptop', [first, wrong, plain].map(compressVisit));
  expect(storedIds).toEqual([first.id, plain.id]);
  expect([...refusals.keys()]).toEqual(['not-as-ordered']);

  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as object[];
  expect(rows).toMatchObject([
    { url: '{origin}/images/1', address: 'http://origin.test:81/images/1' },
    { url: 'http://origin.test/plain', address: 'http://origin.test/plain' },
  ]);
  const detail = VisitDetailSchema.parse(await (await it.program(`/api/visits/${first.id}`)).json());
  expect([detail.url, detail.address]).toEqual(['{origin}/images/1', first.url]);
  const har = (await (await it.program(`/api/visits/${first.id}/har`)).json()) as { log: { pages: object[] } };
  expect(har.log.pages).toMatchObject([{ title: first.url, _page: '{origin}/images/1' }]);

  // Two for one place, which are judged together: the first upload has a look for itself.
  const twins = [1, 2].map(() => compressVisit(visitOf(1, 'http://origin.test:81/images/2')));
  const results = await Promise.all([[], ...twins.map((twin) => [twin])].map((each) => ingest.store('laptop', each)));
  expect(results.map((result) => [result.storedIds.length, ...result.refusals.keys()])).toEqual([
    [0],
    [1],
    [0, 'made-already'],
  ]);
  expect((await pool.query('select from visit where pass_id = $1', [pass.id])).rowCount).toBe(3);
});

test('a Visit of before there were addresses has its URL as one', async () => {
  const { pool } = it.controller;
  const { runId } = await storeCompletedRun(pool, {});
  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
    url: string;
    address: string;
  }[];
  expect(rows.every(({ url, address }) => address === url)).toBe(true);
  expect((await pool.query('select from visit where address is not null and address = url')).rowCount).toBe(0);
});

test('the first answer of a report compares with the baseline of the group, as the whole report does', async () => {
  const { pool } = it.controller;
  const ms = new Map([
    ['direct from port 80', 1000],
    ['pipelined from port 80', 700],
    ['direct from port 81', 400],
    ['again', 600],
  ]);
  const { runId } = await storeCompletedRun(pool, {
    evaluation: EvaluationSchema.parse(written),
    totalMsOf: ({ scenario, block }) => ms.get(scenario)! + block,
  });
  const [outline, whole] = [await outlineRun(pool, runId), await compareRun(pool, runId)];
  expect(outline.groups).toEqual(whole.groups);
  const reductionsOf = ({
    metrics,
  }: {
    metrics: readonly {
      metric: string;
      scenarios: readonly { scenario: string; reduction: { ratio: number } | null }[];
    }[];
  }) =>
    metrics
      .find(({ metric }) => metric === 'totalMs')!
      .scenarios.map(({ scenario, reduction }) => [scenario, reduction && Number(reduction.ratio.toFixed(9))]);
  expect(reductionsOf(outline)).toEqual(reductionsOf(whole));
  expect(new Map(reductionsOf(whole) as [string, number | null][])).toEqual(
    new Map([
      ['direct from port 80', null],
      ['pipelined from port 80', expect.closeTo(0.3, 2)],
      ['direct from port 81', null],
      ['again', expect.closeTo(-0.5, 2)],
    ]),
  );
});
