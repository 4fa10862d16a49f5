import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { laptopFacts } from '#tests/support/join-agent.ts';
import { joinScripted } from './support/scripted-agent.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** The machine may be busy. */
const within = { timeout: 20_000 };

const it = holdForAll(() => startTestController());

const readRun = async (runId: string) => RunDetailSchema.parse(await (await it.program(`/api/runs/${runId}`)).json());

test('a Run fails at once, with what to do, where an Agent refuses a preference that loads code; none is refused where its operator allows any', async () => {
  await using careful = await joinScripted(it, 'careful');
  await using bold = await joinScripted(it, 'bold', { ...laptopFacts, anyPreferenceAllowed: true });
  const runOn = async (host: string) => {
    const prefs = { 'network.negotiate-auth.gsslib': '/tmp/x.so' };
    const { id } = (await (
      await it.program(
        '/api/evaluations',
        postJson({
          name: randomUUID(),
          urlLists: { pages: ['http://origin.test/'] },
          userAgents: [{ name: 'u', host, engine: 'firefox', urlList: 'pages' }],
          scenarios: [{ name: 'only', baseline: true, browser: { prefs } }],
        }),
      )
    ).json()) as { id: string };
    return ((await (await it.program(`/api/evaluations/${id}/runs`, postJson({}))).json()) as { id: string }).id;
  };
  const refused = await runOn('careful');
  await expect.poll(async () => (await readRun(refused)).state, within).toBe('failed');
  expect((await readRun(refused)).problem).toContain('Agent "careful" refuses network.negotiate-auth.gsslib');
  expect((await readRun(refused)).problem).toContain('--allow-any-preference');
  expect(careful.heard.map(({ type }) => type)).not.toContain('prepare-pass');

  const allowed = await runOn('bold');
  expect((await bold.next('prepare-pass')).order.browser.prefs).toEqual({
    'network.negotiate-auth.gsslib': '/tmp/x.so',
  });
  await it.program(`/api/runs/${allowed}/stop`, { method: 'POST' });
  await expect.poll(async () => (await readRun(allowed)).state, within).toBe('stopped');
});
