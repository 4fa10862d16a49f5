import { expect, test } from 'vitest';
import { openGeneratedContent } from '#testbed/hosts/servers/host-content.ts';
import { openListener } from '#testbed/origin/open-listener.ts';
import { TruthRecorder } from '#testbed/origin/truth-log.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';

test('objects of another origin are on the next host, those of the last one on the first, and one host has none', async () => {
  await using stack = new AsyncDisposableStack();
  const open = async (hosts: { names: string[] }[], host: string) => {
    const recorder = new TruthRecorder();
    const served = hosts.map((each) => ({ ...each, thinkTimeMs: 0 }));
    const content = stack.use(await openGeneratedContent({ hosts: served as never, recorder }));
    const listener = await openListener({
      ...{ name: 'http', host: '127.0.0.1', port: 0, recorder, readEpochMs: epochClock },
      serve: (arrival: Parameters<typeof content.serve>[0]) => content.serve(arrival, host),
      upgrade: (arrival: Parameters<typeof content.upgrade>[0]) => content.upgrade(arrival),
    } as never);
    stack.defer(() => listener.close());
    const page = await (await fetch(`http://127.0.0.1:${listener.port}/hard-cases`)).text();
    return [...new Set([...page.matchAll(/["'(]\/\/([a-z.]+)\//g)].map(([, name]) => name))];
  };
  const hosts = [{ names: ['a.test', 'b.test'] }, { names: ['c.test'] }];
  expect(await open(hosts, 'a.test')).toEqual(['b.test']);
  expect(await open(hosts, 'b.test')).toEqual(['c.test']);
  expect(await open(hosts, 'c.test')).toEqual(['a.test']);
});
