import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { StoredEvaluationSchema, type StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { EvaluationSummarySchema } from '#core/protocol/api/evaluation-summary.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { postJson, postYaml, startTestController } from '../../support/controller.ts';
import { evaluationYaml, makeEvaluation } from '../../support/sample-evaluation.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

async function store(init = postYaml(evaluationYaml)): Promise<StoredEvaluation> {
  const response = await it.program('/api/evaluations', init);
  expect(response.status).toBe(201);
  return StoredEvaluationSchema.parse(await response.json());
}

const countEvaluations = async () =>
  EvaluationSummarySchema.array().parse(await (await it.program('/api/evaluations')).json()).length;

test('an Evaluation in YAML is stored with its defaults, listed, and given back as YAML that means the same', async () => {
  const stored = await store();
  expect(stored).toMatchObject({ version: 1, document: { pageLoad: { quietMs: 500 } } });

  const list = EvaluationSummarySchema.array().parse(await (await it.program('/api/evaluations')).json());
  expect(list.find(({ id }) => id === stored.id)).toMatchObject({
    name: 'Proxy or not',
    urlCount: 3,
    userAgents: ['alice', 'bob'],
    lastRun: null,
  });

  const yaml = await it.program(`/api/evaluations/${stored.id}.yaml`);
  expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(EvaluationSchema.parse(parse(await yaml.text()))).toEqual(stored.document);
});

test('an Evaluation in JSON is stored the same', async () => {
  expect((await store(postJson(makeEvaluation()))).document).toEqual(makeEvaluation());
});

test('what is wrong in YAML is reported with path, line and fix, and nothing is stored', async () => {
  const before = await countEvaluations();
  const wrong = evaluationYaml
    .replace('http://proxy.test:3128', 'proxy.test')
    .replace('rounds: 2', 'rounds: 2\npageLoad:\n  timeout: 30s')
    .replace('baseline: true', 'baseline: false');
  const response = await it.program('/api/evaluations', postYaml(wrong));
  const problem = ProblemSchema.parse(await response.json());
  expect([response.status, problem.code]).toEqual([400, 'invalid-input']);
  expect(problem.issues).toEqual([
    {
      path: 'scenarios[1].browser.proxy',
      line: 15,
      message:
        '"proxy.test" is not a proxy address: write "http://host:port", "https://host:port", "socks4://host:port" or "socks5://host:port"',
    },
    { path: 'pageLoad.timeout', line: 19, message: 'unknown key "timeout"; did you mean "timeoutMs"?' },
  ]);
  expect(await countEvaluations()).toBe(before);
});

test.each([
  ['YAML', 'application/yaml', 'name: a\nurl: "http://a.test/?q=caf\xe9"', 'line 2: the byte E9 at offset 34'],
  ['JSON', 'application/json', '{ "name": "caf\xe9" }', 'line 1: the byte E9 at offset 14'],
])('%s that is not UTF-8 is refused with its line, and not stored as another text', async (_, type, text, where) => {
  const before = await countEvaluations();
  const refusalOf = async (body: Buffer, contentType: string) => {
    const headers = { 'content-type': contentType };
    const response = await it.program('/api/evaluations', { method: 'POST', headers, body: Uint8Array.from(body) });
    return [response.status, ProblemSchema.parse(await response.json()).message];
  };
  expect(await refusalOf(Buffer.from(text, 'latin1'), type)).toEqual([
    400,
    `The request, ${where} is not UTF-8. Save it as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8`,
  ]);
  expect(await refusalOf(Buffer.from(text, 'utf16le'), `${type}; charset=utf-16le`)).toEqual([
    400,
    'The request is in the encoding utf-16le: send it as UTF-8',
  ]);
  expect(await countEvaluations()).toBe(before);
});

test.each([
  ['YAML', postYaml(`a: ${'['.repeat(5000)}`)],
  ['JSON', { ...postJson(null), body: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}` }],
])('%s with thousands of brackets is refused with a sentence', async (_, init) => {
  const response = await it.program('/api/evaluations', init);
  expect(response.status).toBe(400);
  expect(ProblemSchema.parse(await response.json()).message).toContain(
    'has more than 100 mappings and lists within each other',
  );
});

test('what is wrong in JSON is reported with its path', async () => {
  const response = await it.program(
    '/api/evaluations',
    postJson({ ...makeEvaluation(), scenarios: [{ name: 'alone' }] }),
  );
  expect(ProblemSchema.parse(await response.json()).issues).toEqual([
    {
      path: 'scenarios',
      line: null,
      message: 'exactly one Scenario must be the baseline, and none is: write "baseline: true" under one of them',
    },
  ]);
});

test('a request that is no JSON, too large, or of another type is refused in words', async () => {
  const send = async (init: RequestInit) => {
    const response = await it.program('/api/evaluations', init);
    return [response.status, ProblemSchema.parse(await response.json()).code];
  };
  expect(await send({ ...postJson({}), body: '{"name":' })).toEqual([400, 'invalid-input']);
  expect(await send({ method: 'POST', body: '<x/>', headers: { 'content-type': 'text/xml' } })).toEqual([
    400,
    'invalid-input',
  ]);
  expect(await send({ method: 'POST' })).toEqual([400, 'invalid-input']);
  expect(await send(postJson({ ...makeEvaluation(), description: 'a\0b' }))).toEqual([400, 'invalid-input']);
  expect(await send(postJson({ name: 'x'.repeat(3_000_000) }))).toEqual([413, 'too-large']);
});

test('a change that started from an older version is refused, so that nobody overwrites what they have not seen', async () => {
  const { id } = await store();
  const put = (version: string, name: string) =>
    it.program(`/api/evaluations/${id}${version}`, {
      ...postYaml(evaluationYaml.replace('Proxy or not', name)),
      method: 'PUT',
    });

  expect((await put('', 'no version')).status).toBe(400);
  const changed = StoredEvaluationSchema.parse(await (await put('?version=1', 'mine')).json());
  expect([changed.version, changed.document.name]).toEqual([2, 'mine']);

  const late = await put('?version=1', 'theirs');
  const refusal = ProblemSchema.parse(await late.json());
  expect([late.status, refusal.code]).toEqual([409, 'conflict']);
  expect(refusal.message).toContain('was changed by API token "test"');
  const kept = StoredEvaluationSchema.parse(await (await it.program(`/api/evaluations/${id}`)).json());
  expect(kept.document.name).toBe('mine');
});

test('a deleted Evaluation that is restored is as it was, and to restore it again changes nothing', async () => {
  const stored = await store();
  await it.program(`/api/evaluations/${stored.id}`, { method: 'DELETE' });
  const restore = async () =>
    StoredEvaluationSchema.parse(
      await (await it.program(`/api/evaluations/${stored.id}/restore`, { method: 'POST' })).json(),
    );
  expect(await restore()).toEqual(stored);
  expect(await restore()).toEqual(stored);
  expect(
    EvaluationSummarySchema.array()
      .parse(await (await it.program('/api/evaluations')).json())
      .map(({ id }) => id),
  ).toContain(stored.id);
  expect((await it.program('/api/evaluations/999999/restore', { method: 'POST' })).status).toBe(404);
});

test('an Evaluation that was deleted is found no more', async () => {
  const { id } = await store();
  expect((await it.program(`/api/evaluations/${id}`, { method: 'DELETE' })).status).toBe(204);
  for (const [path, method] of [
    ['', 'GET'],
    ['', 'DELETE'],
    ['.yaml', 'GET'],
    ['/runs', 'POST'],
    ['?version=1', 'PUT'],
  ] as const) {
    const init = method === 'PUT' ? { ...postYaml(evaluationYaml), method } : { method };
    expect((await it.program(`/api/evaluations/${id}${path}`, init)).status).toBe(404);
  }
  expect((await it.program('/api/evaluations/abc')).status).toBe(404);
});
