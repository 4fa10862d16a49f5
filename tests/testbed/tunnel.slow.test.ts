import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { Tunnel } from '#core/evaluation/network/tunnel-settings.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { removeLeftovers } from '#testbed/namespaces/testbed-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { observeConnection } from '#testbed/tcp/observe-connection.ts';
import { judgeTime } from '../support/judge-time.ts';
import { isRunning, listDescendants } from './support/kill-and-repeat.ts';
import { PlaceProgram } from './support/place-program.ts';

const stack = new AsyncDisposableStack();
let emulated: EmulatedNetwork;
let port: string;
/** With nodes, and so without IPv6. */
let pathNetwork: EmulatedNetwork | undefined;
let pathPort: string | undefined;
beforeAll(async () => {
  emulated = stack.use(
    await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), userCount: 1, hasIpv6: true }),
  );
  port = await serveBytes(emulated);
});
afterAll(() => stack.disposeAsync());

async function serveBytes({ network }: EmulatedNetwork): Promise<string> {
  return stack.use(new PlaceProgram(network.enter('ground'), 'serve-bytes.ts', '::')).readLine();
}

const roundTripMs = 200;
const rateKbps = 2000;
const way = { rateKbps, delayMs: roundTripMs / 2 };
const networkWith = (kind: Tunnel['kind'] | null, tcp = {}) =>
  NetworkSchema.parse({ link: { forward: way, return: way }, tcp, ...(kind && { tunnel: { kind } }) });

const shortWith = (kind: Tunnel['kind']) => NetworkSchema.parse({ link: 'cable', tunnel: { kind } });

const inPlace = (place: 'ground' | 'remote', ...command: [string, ...string[]]) =>
  runTool(...emulated.network.enter(place), ...command);

interface Load {
  connectMs: number;
  totalMs: number;
  bytes: number;
}

const bytes = 100_000;

/** Loads by one connection, from the address that the system chooses. */
async function load(enter: readonly string[], { address = '198.19.0.1', at = port } = {}): Promise<Load> {
  const anyAddress = address.includes(':') ? '::' : '0.0.0.0';
  await using client = new PlaceProgram(enter, 'take-bytes.ts', `${bytes}`, address, at, anyAddress, '1');
  const [loaded] = JSON.parse(await client.readLine()) as Load[];
  return loaded!;
}

/** What passes an interface while something is done, a line for each packet, as tcpdump sees it. */
async function watch(
  { enter, name }: { enter: readonly string[]; name: string },
  whatIsDone: () => Promise<unknown>,
): Promise<string[]> {
  const [program, ...words] = [...enter, 'tcpdump', '-nn', '-q', '-l', '-i', name, 'ip or ip6'];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = text(child.stdout);
  await once(child.stderr, 'data'); // it listens
  await whatIsDone();
  child.kill('SIGINT');
  return (await output).split('\n').filter(Boolean);
}

const watchLink = (whatIsDone: () => Promise<unknown>) =>
  watch({ enter: emulated.network.enter('ground'), name: 'link0' }, whatIsDone);

const isUdpOf = (udpPort: number) => (line: string) => line.includes(`.${udpPort} `) && / UDP, /.test(line);

/** All that a tunnel could leave. */
async function readState(): Promise<string[]> {
  const script = `ip rule; ip -6 rule; ip -o link | sed 's/^[0-9]*: //'; ip -o address; ip route show table all; ip -6 route show table all
    iptables-save | grep ^-A; ip6tables-save | grep ^-A; true`;
  const states = await Promise.all((['ground', 'remote'] as const).map((place) => inPlace(place, 'sh', '-c', script)));
  return [...states, ...readdirSync('/run').filter((name) => name.startsWith('wireguard'))];
}

/** The processes of tunnels that a process has started. */
const listTunnelPrograms = (parent: number) =>
  listDescendants(parent).filter((pid) =>
    /^(wireguard-go|openvpn)\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  );

describe.each([
  { kind: 'wireguard', overheadBytes: 60, udpPort: 51820 },
  { kind: 'openvpn', overheadBytes: 52, udpPort: 1194 },
] as const)('a tunnel by $kind', ({ kind, overheadBytes, udpPort }) => {
  it(
    'carries all that passes between users and origin, at the same addresses, and leaves the link as it is',
    { timeout: 900_000 },
    async (context) => {
      const user = '198.19.1.77';
      await emulated.apply({ network: networkWith(null), users: [{ sourceAddress: user, userClass: null }] });
      const before = await readState();
      const plain = await watchLink(() => load(emulated.network.enter('remote')));
      expect(plain.filter((line) => line.includes(' tcp ')).length).toBeGreaterThan(50);

      // Bytes of the link's frames for those of the page: 14 of Ethernet, the tunnel's, and 40 of IP and TCP with 12 of options.
      const onWire = bytes * (1414 / (1400 - overheadBytes - 52));
      const wireMs = (onWire * 8) / rateKbps;
      await judgeTime(context, {
        measure: async () => {
          const check = await emulated.apply({
            network: networkWith(kind, { ground: { initialWindowSegments: 20, mtuBytes: 1400 } }),
            users: [{ sourceAddress: user, userClass: null }],
          });
          expect(check?.tunnel).toMatchObject({
            kind,
            from: 'user',
            to: 'origin',
            mtuBytes: 1400 - overheadBytes,
            overheadBytes,
          });
          // A user in `remote` has its address there, as on the link.
          expect(await inPlace('remote', 'ip', 'address', 'show', 'dev', 'tunnel0')).toContain(`inet ${user}/32`);
          const loads: Load[] = [];
          const packets = await watchLink(async () => {
            loads.push(await load(emulated.network.enter('remote')));
            loads.push(await load(emulated.network.users[0]!.enter));
            loads.push(await load(emulated.network.enter('remote'), { address: '2001:2:0:19::1' }));
          });
          expect(packets.length).toBeGreaterThan(150);
          const isOwn = isUdpOf(udpPort);
          expect(packets.filter((line) => !isOwn(line))).toEqual([]);
          for (const { connectMs, totalMs, ...loaded } of loads) {
            expect(loaded.bytes).toBe(bytes);
            expect(connectMs).toBeGreaterThan(0.99 * roundTripMs);
            expect(totalMs).toBeGreaterThan(0.97 * wireMs + 2 * roundTripMs);
          }

          const figures = new Map((await emulated.endRound()).figures.map(({ figure, value }) => [figure, value!]));
          expect(figures.get('forward in the tunnel')).toBeGreaterThan(300);
          expect(figures.get('return in the tunnel')).toBeGreaterThan(5);
          for (const direction of ['forward', 'return'])
            expect(figures.get(`${direction} by the tunnel on the link`)).toBeGreaterThan(
              figures.get(`${direction} in the tunnel`)!,
            );
          // Of full packets forward and small ones back.
          expect(figures.get('tunnel overhead')).toBeGreaterThan(4);
          expect(figures.get('tunnel overhead')).toBeLessThan(12);
          expect(await readState()).toEqual(before);
          return loads;
        },
        holds: (loads) => {
          expect(Math.min(...loads.map(({ connectMs }) => connectMs))).toBeLessThan(2 * roundTripMs);
          expect(Math.min(...loads.map(({ totalMs }) => totalMs))).toBeLessThan(1.3 * wireMs + 6 * roundTripMs);
        },
      });
    },
  );

  it('is found out when packets pass beside it, and when it breaks', async () => {
    await emulated.apply({ network: shortWith(kind), users: [] });
    expect((await emulated.endRound()).fault).toContain('nothing passed the tunnel');

    await emulated.apply({ network: shortWith(kind), users: [] });
    const rule = (await inPlace('remote', 'ip', 'rule'))
      .split('\n')
      .find((line) => line.includes('not from all fwmark'))!;
    const [priority] = rule.split(':');
    await inPlace('remote', 'ip', 'rule', 'delete', 'priority', priority!);
    await observeConnection(emulated.network.enter('remote'), {
      ...emulated.network.ground,
      enter: emulated.network.enter('ground'),
    });
    await inPlace(
      'remote',
      'ip',
      'rule',
      'add',
      'priority',
      priority!,
      'not',
      ...rule.split('from all ')[1]!.trim().split(' '),
    );
    expect((await emulated.endRound()).fault).toContain('outside of the tunnel');

    const check = await emulated.apply({ network: shortWith(kind), users: [] });
    if (check?.tunnel?.program === 'kernel') return;
    const started = listTunnelPrograms(process.pid);
    expect(started).toHaveLength(2);
    process.kill(started[1]!, 'SIGKILL'); // that of `remote`, whose packets then have no way out
    await expect(load(emulated.network.enter('remote'))).rejects.toThrow();
    expect((await emulated.endRound()).fault).toContain('the tunnel broke');
    expect(started.filter(isRunning)).toEqual([]);
    expect(await emulated.endRound()).toEqual({ figures: [], fault: null });
  });

  it('leaves nothing when the testbed is killed', async () => {
    await using killed = new PlaceProgram([], 'hold-tunnel.ts', kind);
    const namespaces = Object.values(JSON.parse(await killed.readLine()) as Record<string, string>);
    const started = listTunnelPrograms(killed.child.pid!);
    killed.child.kill('SIGKILL');
    await expect.poll(() => started.filter(isRunning), { timeout: 20_000 }).toEqual([]);
    await removeLeftovers();
    expect(listNamespaces().filter(({ name }) => namespaces.includes(name))).toEqual([]);
    expect(readdirSync('/run').filter((name) => name.startsWith('wireguard'))).toEqual([]);
  });
});

it.each([
  { from: 'user', to: 'gateway', plainIn: 'gateway', plainBy: 'terrestrial0' },
  { from: 'terminal', to: 'origin', plainIn: 'remote', plainBy: 'link0' },
] as const)(
  'a tunnel from $from to $to hides TCP on the satellite segment, and not beyond its ends',
  async ({ from, to, plainIn, plainBy }) => {
    pathNetwork ??= stack.use(
      await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), userCount: 1 }),
    );
    const { network } = pathNetwork;
    pathPort ??= await serveBytes(pathNetwork);
    const link = { forward: way, return: way };
    const check = await pathNetwork.apply({
      network: NetworkSchema.parse({ link, path: {}, tunnel: { kind: 'wireguard', from, to } }),
      users: [],
    });
    expect(check?.tunnel).toMatchObject({ from, to, mtuBytes: 1440 });
    let plain: string[] = [];
    const hidden = await watch({ enter: network.enter('gateway'), name: 'satellite0' }, async () => {
      plain = await watch({ enter: network.enter(plainIn), name: plainBy }, async () => {
        for (const enter of [network.enter('remote'), network.users[0]!.enter])
          expect((await load(enter, { at: pathPort! })).bytes).toBe(bytes);
      });
    });
    const isOwn = isUdpOf(51_820);
    expect(hidden.filter((line) => !isOwn(line))).toEqual([]);
    expect(hidden.length).toBeGreaterThan(150);
    expect(plain.filter((line) => line.includes(' tcp ')).length).toBeGreaterThan(150);
    // All of it in packets that the tunnel need not have refused: no segment was too large for it.
    expect(plain.filter((line) => / tcp 1448$/.test(line))).toEqual([]);
    const { figures, fault } = await pathNetwork.endRound();
    expect(fault).toBeNull();
    expect(figures.map(({ figure }) => figure)).toContain('tunnel overhead');
  },
);

it('hides all connections from a PEP on its way', async () => {
  pathNetwork ??= stack.use(
    await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), userCount: 1 }),
  );
  pathPort ??= await serveBytes(pathNetwork);
  await pathNetwork.apply({
    network: NetworkSchema.parse({ link: 'cable', path: {}, tcpPep: {}, tunnel: { kind: 'openvpn' } }),
    users: [],
  });
  expect((await load(pathNetwork.network.enter('remote'), { at: pathPort })).bytes).toBe(bytes);
  const { figures, fault } = await pathNetwork.endRound();
  expect(fault).toBeNull();
  expect(figures).toContainEqual({ figure: 'terminal PEP split', unit: 'connections', value: 0 });
  expect(figures).toContainEqual({ figure: 'gateway PEP split', unit: 'connections', value: 0 });
});
