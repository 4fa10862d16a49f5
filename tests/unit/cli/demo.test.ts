import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { demoCommand } from '#cli/commands/demo.ts';
import { evaluationOverLink, evaluationWithoutLink } from '#cli/demo/demo-evaluation.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';

const origin = { httpUrl: 'http://origin.test', http2Url: 'https://origin.test', trustedKey: `${'A'.repeat(43)}=` };

/** The least and the most images of a page of it. */
function imagesOf(yaml: string): [number, number] {
  const images = urlsOf(EvaluationSchema.parse(parse(yaml)), 'images').map(({ variables }) => variables.images!);
  return [Math.min(...images), Math.max(...images)];
}

test('the help of the demo says what it does: over the satellite link, and where there is none', () => {
  const help = demoCommand().description();
  const [least, most] = imagesOf(evaluationOverLink(origin, { subject: 'http2', site: null, separation: 'os-users' }));
  expect(help).toContain(`share an emulated GEO satellite link and load pages of ${least} to ${most} small images`);
  const [leastWithout, mostWithout] = imagesOf(evaluationWithoutLink(origin));
  expect(help).toContain(`pages of ${leastWithout} to ${mostWithout} images over the loopback interface`);
});

test('the demo of HTTPEP compares it with direct loads of the same pages, for users with an address each', () => {
  const yaml = evaluationOverLink(origin, { subject: 'httpep', site: null, separation: 'namespaces' });
  const evaluation = EvaluationSchema.parse(parse(yaml));
  expect(evaluation.scenarios.map(({ name, httpep }) => [name, httpep !== undefined])).toEqual([
    ['direct', false],
    ['HTTPEP', true],
  ]);
  expect(new Set(evaluation.userAgents.map(({ sourceAddress }) => sourceAddress)).size).toBe(2);
});

test('the demo of a recorded page compares protocols on it, for both users', () => {
  const yaml = evaluationOverLink(origin, { subject: 'http2', site: 'shop', separation: 'os-users' });
  const { urlLists, scenarios } = EvaluationSchema.parse(parse(yaml));
  expect(Object.values(urlLists)).toEqual([[expect.objectContaining({ site: 'shop', page: 1 })]]);
  expect(scenarios.map(({ network }) => network?.replay?.protocol)).toEqual(['http/1.1', 'h2']);
});
