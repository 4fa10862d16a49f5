import { expect, it } from 'vitest';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { observeConnection } from '#testbed/tcp/observe-connection.ts';
import { holdForAll } from '#tests/support/hold.ts';

const emulated = holdForAll(() => openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));

function networkOf(delayMs: number, change: Record<string, unknown> = {}) {
  // Without a rate, so that the check need not load it.
  const way = { rateKbps: 'unlimited', delayMs };
  return NetworkSchema.parse({ link: { forward: way, return: { ...way, ...change } } });
}

const user = (sourceAddress: string) => ({ sourceAddress, userClass: null });
const lossOf = (check: LinkCheck | null, side: 'forward' | 'return') =>
  check?.findings.find(({ figure }) => figure === `${side} loss`)?.measured;

it('carries out orders that come at the same time one after the other', async () => {
  const orders = [networkOf(100, { lossRatio: 0.5 }), networkOf(100)];
  const [lossy, clear] = await Promise.all(orders.map((network) => emulated.apply({ network, users: [] })));
  // Each was measured over its own link: packets were lost where they were to be, and nowhere else.
  expect(lossOf(lossy!, 'return')).toBeGreaterThan(0);
  expect([lossOf(lossy!, 'forward'), lossOf(clear!, 'forward'), lossOf(clear!, 'return')]).toEqual([0, 0, 0]);
});

it('carries out an order after one that failed', async () => {
  const impossible = NetworkSchema.parse({ link: 'none', tcp: { ground: { congestionControl: 'nosuch' } } });
  const [failed, done] = await Promise.allSettled([
    emulated.apply({ network: impossible, users: [] }),
    emulated.apply({ network: null, users: [] }),
  ]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'testbed-refused' } });
  expect(done).toEqual({ status: 'fulfilled', value: null });
});

it('lets a user have any address, which ground reaches', async () => {
  await emulated.apply({
    network: networkOf(100),
    users: [user('203.0.113.7'), user('10.66.0.1'), user('198.19.200.1')],
  });
  for (const address of ['203.0.113.7', '10.66.0.1', '198.19.200.1']) {
    expect(
      await observeConnection(emulated.network.enter('ground'), { enter: emulated.network.enter('remote'), address }),
    ).toMatchObject({ pathMtuBytes: 1500 });
  }
});

it('refuses a link whose check takes longer than the Controller waits, and packets that are too large for the link', async () => {
  await expect(emulated.apply({ network: networkOf(60_000), users: [] })).rejects.toMatchObject({
    code: 'testbed-refused',
    message: expect.stringContaining('a check of the link, which would take about 122 s. It may take 100 s') as unknown,
  });
  const large = NetworkSchema.parse({ ...networkOf(1), tcp: { ground: { mtuBytes: 9000 } } });
  await expect(emulated.apply({ network: large, users: [] })).rejects.toMatchObject({
    code: 'testbed-refused',
    message: 'mtuBytes must be at most 1500: the emulated link carries no larger packets',
  });
});

it.each([
  ['fd00::5', 'the testbed has IPv4 only'],
  ['198.19.0.1', 'users of the testbed cannot have it'],
  ['198.18.0.2', 'users of the testbed cannot have it'],
  ['127.0.0.1', 'users of the testbed cannot have it'],
])('refuses %s as the address of a user, and no address or route was changed', async (address, message) => {
  const readState = async () => [
    await runTool(...emulated.network.enter('remote'), 'ip', 'address'),
    await runTool(...emulated.network.enter('ground'), 'ip', 'route'),
  ];
  const earlier = await readState();
  await expect(emulated.apply({ network: networkOf(100), users: [user(address)] })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining(message) as unknown,
  });
  expect(await readState()).toEqual(earlier);
});

it('takes the addresses of no testbed that has ended and whose interfaces are not all gone', async () => {
  // The kernel removes them one after the other: here that of remote is the last.
  const left = await addFirstFree((slot) => `hae${slot}-remote`);
  try {
    await using other = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
    const { remote } = other.network;
    expect(
      await observeConnection(other.network.enter('ground'), {
        enter: other.network.enter('remote'),
        address: remote.address,
      }),
    ).toMatchObject({ pathMtuBytes: 1500 });
  } finally {
    await runTool('ip', 'link', 'delete', left);
  }
});

async function addFirstFree(nameOf: (slot: number) => string): Promise<string> {
  for (let slot = 0; ; slot++)
    try {
      await runTool('ip', 'link', 'add', nameOf(slot), 'type', 'veth', 'peer', 'name', `left${slot}`);
      return nameOf(slot);
    } catch (error) {
      if (!(error as Error).message.includes('File exists')) throw error;
    }
}

it('is opened beside another of the same process, each with namespaces and addresses of its own', async () => {
  const both = await Promise.all([openTestbedNetwork(), openTestbedNetwork()]);
  try {
    const names = both.flatMap(({ namespaces }) => Object.values(namespaces));
    const addresses = both.flatMap(({ ground, remote }) => [ground.management.address, remote.management.address]);
    expect(new Set(names).size).toBe(6);
    expect(new Set(addresses).size).toBe(4);
  } finally {
    for (const network of both) await network[Symbol.asyncDispose]();
  }
});
