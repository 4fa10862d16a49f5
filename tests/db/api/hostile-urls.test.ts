import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import {
  postJson,
  postYaml,
  sendWith,
  startTestController,
  type Send,
  type TestController,
} from '#tests/support/controller.ts';

let test: TestController;
let viewer: Send;

beforeAll(async () => {
  test = await startTestController();
  const { token } = await issueToken(test.controller.pool, { name: 'viewer', scope: 'api', role: 'viewer' });
  viewer = sendWith(test.anonymous, { authorization: `Bearer ${token}` });
});

afterAll(() => test[Symbol.asyncDispose]());

it('answers everybody while a viewer sends URLs that are costly to expand', async () => {
  const hostile = [
    'http://x/{' + ','.repeat(900_000),
    'http://x/' + '{'.repeat(900_000),
    'http://x/{' + ','.repeat(4000),
  ];
  for (const url of hostile) {
    const answer = viewer(
      '/api/evaluations/estimate',
      postJson({ name: 'x', urlLists: { pages: [url] }, userAgents: [], scenarios: [] }),
    );
    const health = await test.anonymous('/api/health');
    expect(health.status).toBe(200);
    expect((await answer).status).toBe(400);
  }
  const yaml = await viewer(
    '/api/evaluations/estimate',
    postYaml(`name: x\nurlLists:\n  pages: ["http://x/{${','.repeat(900_000)}"]\n`),
  );
  expect(yaml.status).toBe(400);
}, 20_000);
