import { beforeAll, expect, it } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { postJson, postYaml, sendWith, startTestController, type Send } from '#tests/support/controller.ts';
import { holdForAll } from '#tests/support/hold.ts';

let viewer: Send;

const test = holdForAll(() => startTestController());
beforeAll(async () => {
  const { token } = await issueToken(test.controller.pool, { name: 'viewer', scope: 'api', role: 'viewer' });
  viewer = sendWith(test.anonymous, { authorization: `Bearer ${token}` });
});

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
