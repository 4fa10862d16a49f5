import { expect, test } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { PlaceProgram } from './support/place-program.ts';
import { holdForAll } from '#tests/support/hold.ts';

const emulated = holdForAll(() =>
  openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), userCount: 2 }),
);

const link = 'none';

test('users with a namespace each are seen at their own addresses, before and after a Scenario has named these', async () => {
  const { network } = emulated;
  await using server = new PlaceProgram(network.enter('ground'), 'serve-askers.ts');
  const port = await server.readLine();
  const askAll = () =>
    Promise.all(
      network.users.map(({ place, enter }) =>
        runTool(
          ...enter,
          'bash',
          '-c',
          `exec 3<>/dev/tcp/${network.ground.address}/${port}; printf 'GET /?user=%s HTTP/1.0\\r\\n\\r\\n' ${place} >&3; cat <&3`,
        ),
      ),
    );
  await askAll();
  await emulated.apply({
    network: NetworkSchema.parse({ link }),
    users: network.users.map(({ address }) => ({ sourceAddress: address, userClass: null })),
  });
  await askAll();
  const askers: unknown = await (await fetch(`http://${network.ground.management.address}:${port}/askers`)).json();
  expect(askers).toEqual({ user1: { '198.19.1.1': 2 }, user2: { '198.19.1.2': 2 } });
});

test('what a Scenario sets of TCP at "remote" holds for these users too, and is put back', async () => {
  const readMtu = async () =>
    Promise.all(
      emulated.network.users.map(
        async ({ enter }) => /mtu (\d+)/.exec(await runTool(...enter, 'ip', 'link', 'show', 'dev', 'link0'))?.[1],
      ),
    );
  await emulated.apply({
    network: NetworkSchema.parse({ link, tcp: { remote: { mtuBytes: 1200, initialWindowSegments: 4 } } }),
    users: [],
  });
  expect(await readMtu()).toEqual(['1200', '1200']);
  await emulated.apply({ network: null, users: [] });
  expect(await readMtu()).toEqual(['1500', '1500']);
});

test('their namespaces go with the testbed', async () => {
  const own = () =>
    listNamespaces()
      .filter(({ owner }) => owner.pid === process.pid)
      .map(({ place }) => place);
  expect(own().toSorted()).toEqual(['ground', 'remote', 'satellite', 'user1', 'user2']);
  await emulated[Symbol.asyncDispose]();
  expect(own()).toEqual([]);
});
