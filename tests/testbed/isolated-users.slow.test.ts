import { readdirSync, statSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { slots } from '#agent/users/isolate-user.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { PlaceProgram } from './support/place-program.ts';
import { holdForAll } from '#tests/support/hold.ts';

const overLink = holdForAll(joinOverLink);

const listRules = async () =>
  (await runTool(...overLink.network.enter('remote'), 'iptables-save'))
    .split('\n')
    .filter((line) => line.startsWith('-A POSTROUTING'));

/** The processes of isolated OS users on this machine. */
const listOwnProcesses = () =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    return slots.some(({ uid }) => statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid === uid);
  });

test('two User Agents of one host have their own packets each, without OS users or addresses in the Evaluation, and nothing is left', async () => {
  const run = await overLink.run({
    name: 'Isolated',
    urlLists: { few: [`${overLink.origin.httpUrl}/images/2`], many: [`${overLink.origin.httpUrl}/images/9`] },
    userAgents: [
      { name: 'alice', host: 'remote', engine: 'chrome', urlList: 'few', interface: 'link0' },
      { name: 'bob', host: 'remote', engine: 'http', urlList: 'many', interface: 'link0' },
    ],
    scenarios: [{ name: 'plain', baseline: true }],
    capture: { isolate: true },
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 1 },
  });
  expectCompleted(run, { visits: 2, failedVisits: 0 });
  const requests: Record<string, number | null | undefined> = {};
  for (const { id, userAgent } of run.rounds[0]!.passes) {
    const outcome = await overLink.readCapture('passes', id);
    expect(outcome.interface).toBe('link0');
    expect(outcome.statistics.directions?.other.packets).toBe(0);
    requests[userAgent] = outcome.statistics.tcp?.httpRequests;
  }
  // Each page with its images; Chrome asks for an icon, too.
  expect(requests).toMatchObject({ bob: 10 });
  expect(requests.alice).toBeGreaterThanOrEqual(3);
  expect(requests.alice).toBeLessThanOrEqual(4);

  expect(await listRules()).toEqual([]);
  // Helpers of Chrome end a moment after it.
  await expect.poll(listOwnProcesses).toEqual([]);
});

test('what a killed Agent leaves of its isolated users is removed at the next start', async () => {
  const { network, origin } = overLink;
  const users = [{ isIsolated: true, interface: 'link0', url: `${origin.httpUrl}/images/1` }];
  await using killed = new PlaceProgram(
    network.enter('remote'),
    'be-user-agents.ts',
    JSON.stringify({ users, hold: true }),
  );
  expect(await killed.readLine()).toBe('ready');
  expect(await listRules()).toHaveLength(2);
  killed.child.kill('SIGKILL');
  await vi.waitUntil(() => listOwnProcesses().length === 0, { timeout: 60_000 });
  await using next = new PlaceProgram(network.enter('remote'), 'be-user-agents.ts', JSON.stringify({ users: [] }));
  expect(JSON.parse(await next.readLine())).toEqual([]);
  expect(await listRules()).toEqual([]);
});
