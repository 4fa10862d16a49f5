import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { holdAgent, makeOrder } from './hold-agent.ts';

vi.setConfig({ testTimeout: 60_000 });

it.each([
  [{}, 'Agent "laptop" refuses network.negotiate-auth.gsslib'],
  [{ allowAnyPreference: true }, 'this Agent has no engine "firefox"'],
])('an Agent that was started with %j says of a preference that loads code: %s', async (options, problem) => {
  await using agent = await holdAgent(options);
  await expect.poll(() => agent.said.length, { timeout: 30_000 }).toBeGreaterThan(0);
  const order = makeOrder({ roundId: randomUUID(), url: 'http://origin.test/' });
  agent.send({
    type: 'prepare-pass',
    order: {
      ...order,
      engine: 'firefox',
      browser: { ...order.browser, prefs: { 'network.negotiate-auth.gsslib': '/tmp/x.so' } },
    },
  });
  await expect
    .poll(() => agent.said.find(({ type }) => type === 'pass-lost'), { timeout: 30_000 })
    .toMatchObject({ passId: order.passId, problem: expect.stringContaining(problem) as string });
});
