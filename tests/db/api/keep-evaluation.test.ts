import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { issueToken } from '#controller/people/tokens.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import {
  StoredEvaluationSchema,
  KeptEvaluationSchema,
  type KeptEvaluation,
} from '#core/protocol/api/stored-evaluation.ts';
import { postJson, postYaml, sendWith, startTestController } from '../../support/controller.ts';
import { evaluationYaml, makeEvaluation } from '../../support/sample-evaluation.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const path = '/api/evaluations/versions';

async function keep(init: RequestInit, query = '', send = it.program): Promise<KeptEvaluation> {
  const response = await send(`${path}${query}`, init);
  expect(response.status).toBe(200);
  return KeptEvaluationSchema.parse(await response.json());
}

async function refusal(init: RequestInit, query = '', send = it.program): Promise<string> {
  const response = await send(`${path}${query}`, init);
  const problem = ProblemSchema.parse(await response.json());
  return `${response.status} ${problem.code}: ${problem.message}`;
}

const store = async (evaluation: Evaluation): Promise<string> =>
  StoredEvaluationSchema.parse(await (await it.program('/api/evaluations', postJson(evaluation))).json()).id;

const anotherProgram = async (name: string) => {
  const { token } = await issueToken(it.controller.pool, { name, scope: 'api' });
  return sendWith(it.anonymous, { authorization: `Bearer ${token}` });
};

test('a document is a new Evaluation by its name, then the same one however it is written, then its next version', async () => {
  const yaml = evaluationYaml.replace('Proxy or not', 'Kept');
  const first = await keep(postYaml(yaml));
  expect(first).toMatchObject({ kind: 'new', namesakes: 0, evaluation: { version: 1 } });
  const { id, document } = first.evaluation;
  // With all defaults written out, and its fields in another order.
  const reversed = Object.fromEntries(Object.entries(document).reverse());
  for (const written of [postYaml(`# as before\n${yaml}`), postYaml(stringify(reversed)), postJson(document)])
    expect(await keep(written)).toMatchObject({ kind: 'same', namesakes: 1, evaluation: { id, version: 1 } });

  const changed = postYaml(yaml.replace('rounds: 2', 'rounds: 3'));
  expect(await keep(changed)).toMatchObject({ kind: 'changed', evaluation: { id, version: 2 } });
  expect(await keep(changed)).toMatchObject({ kind: 'same', evaluation: { id, version: 2 } });
  expect((await keep(postYaml(yaml.replace('Kept', 'Kept too')))).kind).toBe('new');

  const { rows } = await it.controller.pool.query<{ action: string; subject: string }>(
    `select action, subject from audit_entry where subject ~ '"?Kept' order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(['evaluation-created', 'evaluation-changed', 'evaluation-created']);
});

test('what an earlier version stored without the settings of today is the same', async () => {
  const evaluation = makeEvaluation({ name: 'Early' });
  const id = await store(evaluation);
  await it.controller.pool.query(
    `update evaluation set document = document #- '{pageLoad,failedObjects}' #- '{capture,isolate}' where id = $1`,
    [id],
  );
  expect(await keep(postJson(evaluation))).toMatchObject({ kind: 'same', evaluation: { id, version: 1 } });
});

test('of several that have the name, the same one is meant, the last changed first; where none is the same, the answer names the ways', async () => {
  const evaluation = makeEvaluation({ name: 'Copied' });
  const ids = [await store(evaluation), await store(evaluation), await store({ ...evaluation, description: 'other' })];
  expect(await keep(postJson(evaluation))).toMatchObject({ kind: 'same', namesakes: 3, evaluation: { id: ids[1] } });

  const changed = postJson({ ...evaluation, description: 'changed' });
  expect(await refusal(changed)).toBe(
    `409 conflict: 3 Evaluations are named "Copied" (${ids.toReversed().join(', ')}), and none is this document. To change one of them, use --evaluation ${ids[2]}. To store another, use --new`,
  );
  expect(await keep(changed, `?evaluation=${ids[0]}`)).toMatchObject({
    kind: 'changed',
    evaluation: { id: ids[0], version: 2 },
  });
  expect(await refusal(changed, '?evaluation=999999')).toContain('404 not-found');
});

test('the document of somebody else is replaced only where it is named', async () => {
  const theirs = await anotherProgram('theirs');
  const yaml = evaluationYaml.replace('Proxy or not', 'Shared');
  const { id } = (await keep(postYaml(yaml), '', theirs)).evaluation;
  expect((await keep(postYaml(yaml))).kind).toBe('same');
  const changed = postYaml(yaml.replace('rounds: 2', 'rounds: 5'));
  expect(await refusal(changed)).toBe(
    `409 conflict: Evaluation ${id} "Shared" is another document, last changed by API token "theirs". To replace it, use --evaluation ${id}. To store another, use --new`,
  );
  expect((await keep(changed, `?evaluation=${id}`)).kind).toBe('changed');
  // A deleted one is no version of anything.
  await it.program(`/api/evaluations/${id}`, { method: 'DELETE' });
  expect((await keep(changed)).kind).toBe('new');
});

test('jobs that bring the same file at the same time find one Evaluation', async () => {
  const evaluation = makeEvaluation({ name: 'At once' });
  const kept = await Promise.all(Array.from({ length: 4 }, () => keep(postJson(evaluation))));
  expect(new Set(kept.map((each) => each.evaluation.id)).size).toBe(1);
  expect(kept.map(({ kind }) => kind).sort()).toEqual(['new', 'same', 'same', 'same']);
});
