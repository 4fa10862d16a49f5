import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { resolveInTestbed } from '#testbed/hosts/dns/resolve-in-testbed.ts';
import { hostsInterfaces } from '#testbed/namespaces/connect-ends.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { loadAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

interface Found {
  name: string;
  address: string;
  ipv6: string;
  tls?: unknown;
  http?: unknown;
}

const visitor = path.join(import.meta.dirname, 'support', 'visit-hosts.ts');
const hosts = [
  { name: 'www.shop.test', delayMs: 5 },
  { name: 'img.shop.test', aliases: ['static.shop.test'], protocols: ['http/1.1'] },
  { name: 'api.other.test', lossRatio: 1, protocols: ['h2'] },
];
/** Without a rate, which a check would load. */
const way = { rateKbps: 'unlimited', delayMs: 0 };

let emulated: EmulatedNetwork;
let ca: string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const folder = stack.use(await makeTemporaryFolder());
  ({ certificate: ca } = await loadAuthority(folder.path, epochClock()));
  emulated = stack.use(
    await openEmulatedNetwork({
      profile: resolveLinkProfile({ preset: 'none' }),
      userCount: 1,
      authorityFolder: folder.path,
    }),
  );
});
afterAll(() => stack.disposeAsync());

const apply = (more: object) =>
  emulated.apply({ network: NetworkSchema.parse({ link: { forward: way, return: way }, ...more }), users: [] });

async function visit(enter: readonly string[], ...names: string[]): Promise<Found[]> {
  const command = [...enter, ...resolveInTestbed, process.execPath, visitor, JSON.stringify({ names, ca })];
  return JSON.parse(await runTool(...(command as [string, ...string[]]))) as Found[];
}
const visitAsUser = (...names: string[]) => visit(emulated.network.users[0]!.enter, ...names);

it('finds no name while no Scenario has hosts, and says so at once', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `w${index}.shop.test`);
  const places = [emulated.network.users[0]!.enter, emulated.network.enter('remote'), emulated.network.enter('ground')];
  for (const found of await Promise.all(places.map((enter) => visit(enter, ...names))))
    expect(found.map(({ address }) => address)).toEqual(names.map(() => 'EAI_AGAIN'));
});

describe('with hosts', () => {
  beforeAll(() => apply({ hosts }));

  it('answers a user by name, with the certificate and the protocols of the host alone', async () => {
    const found = await visitAsUser('www.shop.test', 'img.shop.test');
    expect(found).toEqual([
      {
        name: 'www.shop.test',
        address: '198.19.254.1',
        ipv6: 'ENODATA',
        tls: { protocol: 'h2', names: 'DNS:www.shop.test' },
        http: { status: 200, sources: ['src="//www.shop.test/image/1.jpg', 'src="//www.shop.test/image/2.jpg'] },
      },
      expect.objectContaining({
        address: '198.19.254.2',
        tls: { protocol: 'http/1.1', names: 'DNS:img.shop.test, DNS:static.shop.test' },
      }),
    ]);
    const [image] = found.slice(1);
    expect(await visitAsUser('static.shop.test')).toMatchObject([{ address: image!.address, tls: image!.tls }]);
  });

  it('knows no other name', async () => {
    const others = ['shop.test', 'x.www.shop.test', 'example.org'];
    expect((await visitAsUser(...others)).map(({ address }) => address)).toEqual(others.map(() => 'ENOTFOUND'));
  });

  it('is found by what runs in ground and remote, too', async () => {
    for (const place of ['ground', 'remote'] as const) {
      const [found] = await visit(emulated.network.enter(place), 'img.shop.test');
      expect(found).toMatchObject({ address: '198.19.254.2', tls: { protocol: 'http/1.1' }, http: { status: 200 } });
    }
  });

  it('keeps each host at its own distance', async () => {
    await apply({ hosts });
    // First those that are lost: the others are answered by the kernel, as nobody listens there.
    const program = `const { createSocket } = require('node:dgram'); const { once } = require('node:events');
      (async () => {
        for (const host of [3, 1, 2]) for (let sent = 0; sent < 2; sent++) {
          const socket = createSocket('udp4');
          socket.connect(9, '198.19.254.' + host);
          await once(socket, 'connect');
          const refused = host === 3 ? null : new Promise((resolve) => socket.once('error', resolve));
          await new Promise((resolve) => socket.send('x', resolve));
          await refused;
          socket.close();
        }
      })()`;
    await runTool(...emulated.network.users[0]!.enter, process.execPath, '-e', program);
    const lost = { arrivedPackets: 2, deliveredPackets: 0, lostPackets: 2, droppedPackets: 0 };
    const passed = { arrivedPackets: 2, deliveredPackets: 2, lostPackets: 0, droppedPackets: 0 };
    expect(await emulated.hosts.statistics()).toMatchObject([
      { address: '198.19.254.1', direction: { delayMs: 5, lossRatio: 0 }, forward: passed, return: passed },
      {
        address: '198.19.254.3',
        direction: { delayMs: 0, lossRatio: 1 },
        forward: { arrivedPackets: 0 },
        return: lost,
      },
    ]);
  });

  it('has the log of all hosts at each of them', async () => {
    const log = await runTool(
      ...emulated.network.enter('ground'),
      ...resolveInTestbed,
      process.execPath,
      '-e',
      'fetch("http://img.shop.test/__truth?visit=one").then((answer) => answer.text()).then(console.log)',
    );
    const { requests } = JSON.parse(log) as { requests: { host: string; path: string }[] };
    expect(new Set(requests.map(({ host }) => host))).toEqual(
      new Set(['www.shop.test', 'img.shop.test', 'static.shop.test']),
    );
  });
});

it('lets a resolver at the users remember', async () => {
  await apply({ hosts, dnsCache: 'terminal' });
  const [first, second] = await visitAsUser('www.shop.test', 'www.shop.test');
  expect(first).toMatchObject({ address: '198.19.254.1', tls: { protocol: 'h2' } });
  expect(second).toEqual(first);
});

it('counts what the machine lost on the way to a host', async () => {
  await apply({ hosts });
  const setMtu = (bytes: number) =>
    runTool(
      'ip',
      '-n',
      emulated.network.namespaces.satellite,
      'link',
      'set',
      hostsInterfaces.remote,
      'mtu',
      `${bytes}`,
    );
  await setMtu(600);
  const program = `const socket = require('node:dgram').createSocket('udp4');
    socket.send(Buffer.alloc(1000), 9, '198.19.254.1', () => socket.close());`;
  await runTool(...emulated.network.enter('ground'), process.execPath, '-e', program);
  await expect.poll(async () => (await emulated.hosts.missed()).return.missedPackets).toBe(1);
  await setMtu(1500);
  expect((await emulated.endRound()).figures).toEqual([{ figure: 'hosts return missed', unit: 'packets', value: 1 }]);
});

it('takes the way to the hosts back, and lets one host have the name of another later', async () => {
  await emulated.endRound();
  expect(await visitAsUser('www.shop.test')).toMatchObject([{ address: 'EAI_AGAIN' }]);
  await apply({ hosts: [{ name: 'first.test' }, { name: 'www.shop.test' }] });
  expect(await visitAsUser('www.shop.test')).toMatchObject([{ address: '198.19.254.2', tls: { protocol: 'h2' } }]);
});

it('leaves nothing behind when the testbed is closed', async () => {
  await stack.disposeAsync();
  expect(listNamespaces().filter(({ owner }) => owner.pid === process.pid)).toEqual([]);
});
