import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { PlaceProgram } from './support/place-program.ts';

const stack = new AsyncDisposableStack();
let network: TestbedNetwork;
let server: PlaceProgram;
let port: string;

beforeAll(async () => {
  network = stack.use(await openTestbedNetwork());
  stack.use(await openLink({ network, profile: resolveLinkProfile({ preset: 'none' }) }));
  for (const number of [1, 2]) await inRemote('ip', 'address', 'add', `198.19.1.${number}/32`, 'dev', 'link0');
  server = stack.use(new PlaceProgram(network.enter('ground'), 'serve-askers.ts'));
  port = await server.readLine();
});
afterAll(() => stack.disposeAsync());

const foreignRule = [
  'POSTROUTING',
  '-o',
  'link0',
  '-m',
  'owner',
  '--uid-owner',
  '20009',
  '-j',
  'SNAT',
  '--to-source',
  '198.19.9.9',
] as const;
const inRemote = (...command: [string, ...string[]]) => runTool(...network.enter('remote'), ...command);
const listRules = async () =>
  (await inRemote('iptables-save')).split('\n').filter((line) => line.startsWith('-A POSTROUTING'));

function describeUser(number: number) {
  return {
    osUser: 20_000 + number,
    sourceAddress: `198.19.1.${number}`,
    interface: 'link0',
    url: `http://${network.ground.address}:${port}/page?user=${number}`,
  };
}

test('two browsers as two users load a page at the same time, each from its own address and from no other, and nothing is left', async () => {
  await using userAgents = new PlaceProgram(
    network.enter('remote'),
    'be-user-agents.ts',
    JSON.stringify({ users: [describeUser(1), describeUser(2)] }),
  );
  expect(JSON.parse(await userAgents.readLine())).toEqual(['ok', 'ok']);
  await expect(userAgents.readLine()).rejects.toThrow('ended');

  const askers: unknown = await (await fetch(`http://${network.ground.management.address}:${port}/askers`)).json();
  expect(askers).toMatchObject({ 1: { '198.19.1.1': 11 }, 2: { '198.19.1.2': 11 } });
  expect(askers).toSatisfy((counts: Record<string, object>) =>
    [1, 2].every((user) => Object.keys(counts[user]!).length === 1),
  );
  expect(await listRules()).toEqual([]);
  expect((await readdir(tmpdir())).filter((name) => name.includes(`-${userAgents.child.pid}-`))).toEqual([]);
});

test('what a killed Agent leaves, the next one removes: rules and browsers, and nothing of others', async () => {
  await inRemote('iptables', '-t', 'nat', '-A', ...foreignRule);
  await using killed = new PlaceProgram(
    network.enter('remote'),
    'be-user-agents.ts',
    JSON.stringify({ users: [describeUser(1)], hold: true }),
  );
  expect(await killed.readLine()).toBe('ready');
  expect(await listRules()).toHaveLength(2);

  // An Agent that lives keeps what it has when another one removes its own.
  await using other = new PlaceProgram(
    network.enter('remote'),
    'be-user-agents.ts',
    JSON.stringify({ users: [describeUser(2)] }),
  );
  expect(JSON.parse(await other.readLine())).toEqual(['ok']);
  await expect(other.readLine()).rejects.toThrow('ended');
  expect(await listRules()).toHaveLength(2);

  killed.child.kill('SIGKILL');
  await vi.waitUntil(
    async () =>
      (await inRemote('ps', '-A', '-o', 'uid=,stat=')).split('\n').every((line) => !/^\s*20001 [^Z]/.test(line)),
    { timeout: 60_000 },
  );
  await using next = new PlaceProgram(network.enter('remote'), 'be-user-agents.ts', JSON.stringify({ users: [] }));
  expect(JSON.parse(await next.readLine())).toEqual([]);
  expect(await listRules()).toEqual([expect.stringContaining('--uid-owner 20009')]);
  await inRemote('iptables', '-t', 'nat', '-D', ...foreignRule);
});
