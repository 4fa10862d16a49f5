import { isIPv4, isIPv6 } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createEvaluationJsonSchema } from '#core/evaluation/evaluation-json-schema.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { listExamples, readExampleText } from '#tests/support/read-example.ts';

const isValid = new Ajv2020({
  strict: true,
  strictTypes: false,
  allErrors: true,
  formats: { ipv4: isIPv4, ipv6: isIPv6 },
}).compile(createEvaluationJsonSchema());
const valid = {
  name: 'Valid',
  urlLists: {
    pages: ['http://origin.example/', { url: 'http://origin.example/{5..25}', variables: { images: '{1}' } }],
  },
  userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
  scenarios: [{ name: 'only', baseline: true, network: { link: 'geo-1m' } }],
};

test.each(listExamples())('the example %s is valid', (name) => {
  isValid(parse(readExampleText(name)));
  expect(isValid.errors).toBeNull();
});

test('short and long forms are valid, for the schema as for the Controller', () => {
  const link = { preset: 'geo-1m', forward: { rateTrace: { steps: [[0, 256]] } } };
  for (const evaluation of [valid, { ...valid, scenarios: [{ ...valid.scenarios[0], network: { link } }] }]) {
    expect(EvaluationSchema.safeParse(evaluation).error).toBeUndefined();
    isValid(evaluation);
    expect(isValid.errors).toBeNull();
  }
});

test('a page of a Site is valid, as a list and in one', () => {
  for (const urlLists of [{ pages: { site: 'shop', page: 1 } }, { pages: ['http://a.test/', { site: 'shop' }] }]) {
    expect(EvaluationSchema.safeParse({ ...valid, urlLists }).error).toBeUndefined();
    isValid({ ...valid, urlLists });
    expect(isValid.errors).toBeNull();
  }
});

test('a file of a trace is valid, as evaluate reads it', () => {
  expect(
    isValid({
      ...valid,
      scenarios: [
        {
          ...valid.scenarios[0],
          network: { link: { preset: 'geo-1m', forward: { rateTrace: { file: 'rain.csv' } } } },
        },
      ],
    }),
  ).toBe(true);
});

test.each([
  ['an unknown setting', { ...valid, pageload: {} }],
  ['a name that is missing', { ...valid, name: undefined }],
  ['a duration with a unit', { ...valid, pageLoad: { timeoutMs: '30s' } }],
  ['a number out of its range', { ...valid, repetition: { rounds: 0 } }],
  ['an unknown engine', { ...valid, userAgents: [{ ...valid.userAgents[0], engine: 'opera' }] }],
  ['an unknown preset', { ...valid, scenarios: [{ ...valid.scenarios[0], network: { link: 'geo-3m' } }] }],
  ['a list without a URL', { ...valid, urlLists: { pages: [] } }],
])('%s is not valid, for the schema as for the Controller', (_, evaluation) => {
  const document: unknown = JSON.parse(JSON.stringify(evaluation));
  expect(isValid(document)).toBe(false);
  expect(EvaluationSchema.safeParse(document).success).toBe(false);
});
