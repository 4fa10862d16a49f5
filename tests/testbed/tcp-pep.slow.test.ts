import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { nodeAddresses } from '#testbed/namespaces/addresses.ts';
import { nodeInterfaces } from '#testbed/namespaces/connect-nodes.ts';
import { findMissingTools } from '#testbed/namespaces/require-tools.ts';
import { runTool, runIn, type Enter } from '#testbed/namespaces/run-tool.ts';
import { countConnections } from '#testbed/tcp-pep/pepsal.ts';
import { judgeTime } from '../support/judge-time.ts';
import { PlaceProgram } from './support/place-program.ts';

const resources = new AsyncDisposableStack();
let emulated: EmulatedNetwork;
let server: PlaceProgram;
let port: string;
const user = '198.19.1.1';

beforeAll(async () => {
  emulated = resources.use(await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));
  const { ground } = emulated.network;
  server = resources.use(new PlaceProgram(emulated.network.enter('ground'), 'serve-bytes.ts', ground.address));
  port = await server.readLine();
});
afterAll(() => resources.disposeAsync());

const eachWay = (direction: Record<string, unknown>) => ({ forward: direction, return: direction });
const networkOf = (change: Record<string, unknown> = {}) =>
  NetworkSchema.parse({
    link: eachWay({ rateKbps: 8000, delayMs: 325 }),
    path: { access: eachWay({ rateKbps: 'unlimited', delayMs: 10 }) },
    tcp: { ground: { initialWindowSegments: 3 } },
    ...change,
  });

const DownloadsSchema = z.array(z.object({ connectMs: z.number(), totalMs: z.number(), bytes: z.number() }));

async function download({ bytes, count }: { bytes: number; count: number }) {
  await using client = new PlaceProgram(
    emulated.network.enter('remote'),
    'take-bytes.ts',
    ...[`${bytes}`, emulated.network.ground.address, port, user, `${count}`],
  );
  const downloads = DownloadsSchema.parse(JSON.parse(await client.readLine()));
  expect(downloads.map((each) => each.bytes)).toEqual(Array<number>(count).fill(bytes));
  for (let each = 0; each < count; each++) expect(await server.readLine()).toBe(user); // the origin sees the user
  return downloads;
}

const apply = (change?: Record<string, unknown>) =>
  emulated.apply({ network: networkOf(change), users: [{ sourceAddress: user, userClass: null }] });

test(
  'with a PEP, connections begin at the terminal, a long download takes half the time, and its counters are those of the connections',
  { timeout: 900_000 },
  async (context) => {
    const bytes = 2_000_000;
    await judgeTime(context, {
      measure: async () => {
        await apply({ path: undefined });
        const [direct] = await download({ bytes, count: 1 });

        await emulated.network.requireNodes();
        const before = await readNodes();
        await apply({ tcpPep: { congestionControl: 'cubic', windowBytes: 600_000 } });
        const [split] = await download({ bytes, count: 1 });
        await download({ bytes: 10, count: 3 });
        const { figures, fault } = await emulated.endRound();
        const sent = '2000000'.length + 3 * '10'.length;
        expect(figures).toEqual(
          ['terminal', 'gateway'].flatMap((node) => [
            { figure: `${node} PEP split`, unit: 'connections', value: 4 },
            { figure: `${node} PEP to users`, unit: 'kB', value: (bytes + 30) / 1000 },
            { figure: `${node} PEP from users`, unit: 'kB', value: sent / 1000 },
          ]),
        );
        expect(fault).toBeNull();
        expect(await readNodes()).toEqual(before);
        return { direct: direct!, split: split! };
      },
      holds: ({ direct, split }) => {
        expect(direct.connectMs).toBeGreaterThan(650);
        expect(split.connectMs).toBeLessThan(100); // 20 ms are the access segment's
        expect(split.totalMs).toBeLessThan(direct.totalMs / 2);
      },
    });
  },
);

test('the kernel counts the connections and the payload that haproxy counts', async () => {
  await apply({ tcpPep: { at: 'terminal' } });
  const users = { interface: nodeInterfaces.access, ownAddress: nodeAddresses.terminal };
  const terminal = emulated.network.enter('terminal');
  await using count = await countConnections(terminal, users);
  const sentAgainBefore = await countSentAgain(terminal);
  await download({ bytes: 300_000, count: 1 });
  await download({ bytes: 10, count: 3 });
  const { connections, toUsersBytes, fromUsersBytes } = await count.read();
  const { figures } = await emulated.endRound();
  expect(figures.map(({ value }) => value)).toEqual([connections, 300.03, fromUsersBytes / 1000]);
  expect(connections).toBe(4);
  // A machine that stalls lets TCP send segments again.
  const againBytes = toUsersBytes - 300_030;
  expect(againBytes).toBeGreaterThanOrEqual(0);
  const segmentsAgain = (await countSentAgain(terminal)) - sentAgainBefore;
  expect(againBytes).toBeLessThanOrEqual(segmentsAgain * mostPayload);
});

test.skipIf(findMissingTools(process.env.PATH ?? '', { pepsal: 'pepsal' }).length > 0)(
  'PEPsal splits connections as haproxy does, where it is installed',
  { timeout: 900_000 },
  async (context) => {
    await emulated.network.requireNodes();
    const before = await readNodes();
    await judgeTime(context, {
      measure: async () => {
        await apply({ tcpPep: { program: 'pepsal', congestionControl: 'cubic', windowBytes: 600_000 } });
        const [split] = await download({ bytes: 2_000_000, count: 1 });
        await download({ bytes: 10, count: 3 });
        const { figures, fault } = await emulated.endRound();
        expect(fault).toBeNull();
        expect(figures.filter(({ unit }) => unit === 'connections').map(({ value }) => value)).toEqual([4, 4]);
        expect(figures).toContainEqual({ figure: 'terminal PEP to users', unit: 'kB', value: 2000.03 });
        expect(await readNodes()).toEqual(before);
        return split!;
      },
      holds: (split) => {
        expect(split.connectMs).toBeLessThan(100);
        expect(split.totalMs).toBeLessThan(4500); // without a PEP: more than 7 s
      },
    });
  },
);

test('where PEPsal is not installed, the error says what to do', async () => {
  const { PATH } = process.env;
  const hasPepsal = (folder: string) => findMissingTools(folder, { pepsal: 'pepsal' }).length === 0;
  process.env.PATH = PATH!
    .split(':')
    .filter((folder) => !hasPepsal(folder))
    .join(':');
  try {
    await expect(apply({ tcpPep: { program: 'pepsal' } })).rejects.toThrow(
      'tcpPep needs `pepsal`, which is not installed: no distribution has a package of PEPsal. Build it from its source',
    );
  } finally {
    process.env.PATH = PATH;
  }
});

test('a PEP ends with a testbed that is killed, and nothing stays of its nodes', async () => {
  await using held = new PlaceProgram([], 'hold-tcp-pep.ts');
  expect(await held.readLine()).toBe('split');
  const { pid } = held.child;
  const nodes = listNamespaces().filter(({ owner, place }) => owner.pid === pid && isNode(place));
  const pids = await Promise.all(nodes.map(({ name }) => runTool('ip', 'netns', 'pids', name)));
  const programs = pids.join('').split('\n').filter(Boolean);
  expect([nodes.length, programs.length]).toEqual([2, 2]);
  held.child.kill('SIGKILL');
  const listLeft = () => [
    ...programs.filter((program) => existsSync(`/proc/${program}`)),
    ...listNamespaces().filter(({ owner }) => owner.pid === pid),
  ];
  await expect.poll(listLeft, { timeout: 20_000 }).toEqual([]);
});

const isNode = (place: string) => place === 'terminal' || place === 'gateway';

/** Of a segment, with addresses of IPv4 and an MTU of 1500 bytes. */
const mostPayload = 1460;

/** The segments that the TCP of a place has sent again so far. */
async function countSentAgain(enter: Enter): Promise<number> {
  const lines = (await runIn(enter, 'cat', '/proc/net/snmp')).split('\n').filter((line) => line.startsWith('Tcp:'));
  const [names, values] = lines.map((line) => line.split(' '));
  return Number(values![names!.indexOf('RetransSegs')]);
}

/** All that a PEP changes in the nodes. */
async function readNodes(): Promise<string[]> {
  const commands = [
    ['nft', 'list', 'ruleset'],
    ['ip', 'rule'],
    ['ip', 'route', 'show', 'table', 'all'],
    ['cat', '/proc/sys/net/ipv4/tcp_congestion_control', '/proc/sys/net/ipv4/tcp_rmem', '/proc/sys/net/ipv4/tcp_wmem'],
    ['ss', '--no-header', '--listening', '--tcp', '--numeric'],
  ] as const;
  const nodes = (['terminal', 'gateway'] as const).map((node) => emulated.network.enter(node));
  return Promise.all(nodes.flatMap((enter) => commands.map((command) => runTool(...enter, ...command))));
}
