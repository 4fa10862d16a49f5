import { expect, it } from 'vitest';
import type { Engine } from '#agent/engines/engine.ts';
import { holdAgent } from './hold-agent.ts';

const within = { timeout: 9_000 };
const firefox: Engine = {
  name: 'firefox',
  browserVersion: 'Firefox/157.0',
  open: () => Promise.reject(new Error('it is not to be opened here')),
};

it('a browser that is installed later is among the engines without a restart of the Agent', async () => {
  let looks = 0;
  const found: (Engine | Error | null)[] = [null, new Error('it does not start'), firefox];
  await using agent = await holdAgent({
    lookForEngine: () => {
      const next = found[looks++];
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next ?? null);
    },
  });
  const engines = () => {
    const hello = agent.said.findLast((message) => message.type === 'hello');
    return hello?.facts.engines.map(({ engine, version }) => `${engine} ${version}`) ?? [];
  };
  await expect.poll(engines, within).toEqual([expect.stringMatching(/^http /)]);
  // In small steps: the other end of the line has its own time.
  for (let step = 0; step < 300 && engines().length < 2; step++) {
    await agent.time.pass(500);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(engines()).toEqual([expect.stringMatching(/^http /), 'firefox Firefox/157.0']);
  expect(looks).toBe(3);
  expect(agent.logged).toContain('it does not start');
});
