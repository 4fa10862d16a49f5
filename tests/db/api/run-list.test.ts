import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { annotateRun } from '#controller/runs/annotation-routes.ts';
import { UsedTagSchema } from '#core/protocol/api/annotation.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { EvaluationSummarySchema } from '#core/protocol/api/evaluation-summary.ts';
import { runSorts } from '#core/protocol/api/run-search.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { startTestController, type Send } from '../../support/controller.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const ids = { faster: '', alike: '', slower: '' };
let evaluationId = '';
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  const { pool } = it.controller;
  const { repetition } = makeEvaluation();
  const store = async (name: string, proxyMs: number) =>
    storeCompletedRun(pool, {
      evaluation: makeEvaluation({ name, repetition: { ...repetition, rounds: 6 } }),
      totalMsOf: ({ scenario, block }) =>
        (scenario === 'proxy' ? proxyMs : 1000) + (block % 2 === 0 ? 5 : 0) * (scenario === 'proxy' ? 1 : -1),
    });
  const faster = await store('Two protocols', 700);
  ids.faster = faster.runId;
  ({ evaluationId } = faster);
  ids.alike = (await store('100_% of them', 995)).runId;
  ids.slower = (await store('A proxy', 1500)).runId;
  await annotateRun(pool, ids.alike, { tags: ['LEO', 'draft'], note: 'rain over Cork' });
  await pool.query(`update run set labels = '{"build": "77a"}' where id = $1`, [ids.faster]);
  for (const id of Object.values(ids)) expect((await it.program(`/api/runs/${id}/comparison`)).status).toBe(200);
});

async function list(query: string): Promise<RunSummary[]> {
  const response = await it.program(`/api/runs?${query}`);
  expect(response.status).toBe(200);
  return z.array(RunSummarySchema).parse(await response.json());
}
const find = async (query: string) => (await list(query)).map(({ id }) => id);

test('Runs are found by words of their name, note, tags and outcome, and by their number', async () => {
  expect(await find('words=protocol')).toEqual([ids.faster]);
  expect(await find('words=RAIN+leo')).toEqual([ids.alike]);
  expect(await find('words=rain+protocols')).toEqual([]);
  expect(await find('words=more%20time')).toEqual([ids.slower]);
  expect(await find('words=build%3D77')).toEqual([ids.faster]);
  expect(await find(`words=${ids.slower}`)).toContain(ids.slower);
  expect(await find(`words=${encodeURIComponent('0_%')}`)).toEqual([ids.alike]);
  expect(await find(`words=${encodeURIComponent('t_o')}`)).toEqual([]);
});

test('Runs are filtered by state, outcome, tag and Evaluation', async () => {
  expect(await find('outcome=faster')).toEqual([ids.faster]);
  expect(await find('outcome=slower')).toEqual([ids.slower]);
  expect(await find('outcome=equivalent')).toEqual([ids.alike]);
  expect(await find('outcome=none')).toEqual([]);
  expect(await find('tag=draft')).toEqual([ids.alike]);
  expect(await find('state=failed')).toEqual([]);
  expect(await find(`evaluation=${evaluationId}&state=completed`)).toEqual([ids.faster]);
});

test('Runs are sorted by each column, both ways, a page at a time', async () => {
  expect(await find('sort=outcome&order=ascending')).toEqual([ids.slower, ids.alike, ids.faster]);
  expect(await find('sort=evaluation&order=ascending')).toEqual([ids.alike, ids.slower, ids.faster]);
  for (const sort of runSorts) {
    for (const order of ['ascending', 'descending']) {
      const all = await find(`sort=${sort}&order=${order}`);
      expect(all.toSorted()).toEqual(Object.values(ids).toSorted());
      expect(await find(`sort=${sort}&order=${order}&before=${all[0]!}`)).toEqual(all.slice(1));
      expect(await find(`sort=${sort}&order=${order}&before=${all[2]!}`)).toEqual([]);
    }
  }
});

test('Runs without a value come last in both orders, and pages continue among them', async () => {
  const { pool } = it.controller;
  await pool.query(`update run_digest set outcome = '{"kind": "none", "text": "nothing"}' where run_id = any($1)`, [
    [ids.faster, ids.alike],
  ]);
  for (const order of ['ascending', 'descending']) {
    const all = await find(`sort=outcome&order=${order}`);
    expect(all).toEqual([ids.slower, ids.alike, ids.faster]);
    expect(await find(`sort=outcome&order=${order}&before=${ids.slower}`)).toEqual([ids.alike, ids.faster]);
    expect(await find(`sort=outcome&order=${order}&before=${ids.alike}`)).toEqual([ids.faster]);
  }
});

test.for(['sort=problem', 'order=up', 'outcome=best', 'tag=', `words=${'x'.repeat(201)}`, 'evaluation=1;drop'])(
  'a search with %s is refused',
  async (query) => {
    expect((await it.program(`/api/runs?${query}`)).status).toBe(400);
  },
);

const put = (send: Send, path: string, body: unknown) =>
  send(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('evaluators tag and note Runs and Evaluations, which the audit log records', async () => {
  const { browser } = await it.signIn('evaluator');
  const run = await put(browser, `/api/runs/${ids.slower}/annotation`, {
    tags: [' v2 ', 'v2', 'draft'],
    note: 'see\nmail',
  });
  expect(RunSummarySchema.parse(await run.json())).toMatchObject({ tags: ['v2', 'draft'], note: 'see\nmail' });
  const changed = await put(browser, `/api/evaluations/${evaluationId}/annotation`, { tags: ['v2'], note: '' });
  expect(StoredEvaluationSchema.parse(await changed.json())).toMatchObject({ version: 1, tags: ['v2'] });
  const evaluations = z.array(EvaluationSummarySchema).parse(await (await browser('/api/evaluations')).json());
  expect(evaluations.find(({ id }) => id === evaluationId)).toMatchObject({ tags: ['v2'] });
  expect(z.array(UsedTagSchema).parse(await (await browser('/api/tags')).json())).toEqual([
    { tag: 'draft', runs: 2, evaluations: 0 },
    { tag: 'v2', runs: 1, evaluations: 1 },
    { tag: 'LEO', runs: 1, evaluations: 0 },
  ]);
  const { rows } = await it.controller.pool.query<{ action: string }>(
    `select action, details from audit_entry where action like '%annotated' order by id`,
  );
  expect(rows).toEqual([
    { action: 'run-annotated', details: { run: ids.slower, tags: 'v2, draft', note: 'see\nmail' } },
    { action: 'evaluation-annotated', details: { tags: 'v2', note: '' } },
  ]);
});

test('labels of a Run are changed beside its tags, and stay where they are not named', async () => {
  const { browser } = await it.signIn('evaluator');
  const annotate = async (body: object) => {
    const answer = await put(browser, `/api/runs/${ids.faster}/annotation`, { tags: [], note: '', ...body });
    return answer.ok ? RunSummarySchema.parse(await answer.json()).labels : answer.status;
  };
  expect(await annotate({ labels: { build: '9', branch: 'a, b' } })).toEqual({ build: '9', branch: 'a, b' });
  expect(await annotate({})).toEqual({ build: '9', branch: 'a, b' });
  expect(await find('words=build%3D9')).toEqual([ids.faster]);
  for (const labels of [{ 'a b': '1' }, { build: '' }, { build: 9 }, ['build=9']])
    expect([labels, await annotate({ labels })]).toEqual([labels, 400]);
  expect(await annotate({ labels: {} })).toEqual({});
  const path = `/api/evaluations/${evaluationId}/annotation`;
  expect((await put(browser, path, { tags: [], note: '', labels: {} })).status).toBe(400);
});

test('viewers cannot, and tags and notes have limits', async () => {
  const { browser: viewer } = await it.signIn('viewer');
  const path = `/api/runs/${ids.faster}/annotation`;
  expect((await put(viewer, path, { tags: [], note: '' })).status).toBe(403);
  const { browser } = await it.signIn('evaluator');
  for (const body of [
    { tags: ['a,b'], note: '' },
    { tags: ['x'.repeat(41)], note: '' },
    { tags: Array.from({ length: 13 }, (_, index) => `t${index}`), note: '' },
    { tags: [], note: 'x'.repeat(2001) },
    { tags: [], note: 'a\u0000b' },
  ])
    expect((await put(browser, path, body)).status).toBe(400);
  expect((await put(browser, '/api/runs/999999/annotation', { tags: [], note: '' })).status).toBe(404);
  expect((await put(browser, '/api/evaluations/999999/annotation', { tags: [], note: '' })).status).toBe(404);
});
