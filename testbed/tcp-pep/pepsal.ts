import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-tool.ts';
import { splitPort, startInNode, type SplitProgram, type SplitCounters } from './split-program.ts';
import { z } from 'zod';

const table = 'http_ae_pep_count';
const connections = 'connections';

/** Without options, and in bytes: headers of IPv4 and TCP (RFC 791, RFC 9293). The length of TCP's is in words of 4 bytes. */
const ipHeaderBytes = 20;
const tcpHeaderWords = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const ways = ['fromUsers', 'toUsers'] as const;
type Way = (typeof ways)[number];

interface CountOptions {
  /** By which connections of users come. */
  interface: string;
  /** Of the node itself, whose connections are not counted. */
  ownAddress: string;
}

/** Counters of connections in a node, until this is disposed of. */
interface ConnectionCount extends AsyncDisposable {
  read(): Promise<SplitCounters>;
}

const TableSchema = z.object({
  nftables: z.array(
    z.object({
      counter: z.object({ name: z.string(), packets: z.number(), bytes: z.number() }).optional(),
      set: z.object({ name: z.string(), elem: z.array(z.unknown()).optional() }).optional(),
    }),
  ),
});

const giveUpAfterMs = 10_000;

/** Starts PEPsal in a node, and waits until it listens. It counts nothing, so the kernel counts what it is handed. Throws `testbed-failed`. */
export async function startPepsal(enter: Enter, counted: CountOptions): Promise<SplitProgram> {
  await using resources = new AsyncDisposableStack();
  const pepsal = resources.use(startInNode(enter, ['pepsal', '-p', `${splitPort}`]));
  await pepsal.during(waitUntilListening(enter));
  const count = resources.use(await countConnections(enter, counted));
  const remove = resources.move();
  return {
    readCounters: () => pepsal.during(count.read()),
    [Symbol.asyncDispose]: () => remove.disposeAsync(),
  };
}

async function waitUntilListening(enter: Enter): Promise<void> {
  const deadlineMs = performance.now() + giveUpAfterMs;
  const list = ['ss', '--no-header', '--listening', '--tcp', '--numeric', `sport = :${splitPort}`] as const;
  while ((await runIn(enter, ...list)).trim() === '') {
    if (performance.now() > deadlineMs)
      throw new AppError(
        'testbed-failed',
        `pepsal did not listen on port ${splitPort} within ${giveUpAfterMs / 1000} s`,
      );
    await pause(10);
  }
}

/**
 * Counts the TCP connections of users that a node gets, by addresses and ports, and their payload, in the kernel (nftables): for programs that do not count. Payload that TCP sends again counts
 * again. Connections whose addresses and ports are those of an earlier one are counted once with it. Throws `testbed-failed`.
 */
export async function countConnections(
  enter: Enter,
  { interface: name, ownAddress }: CountOptions,
): Promise<ConnectionCount> {
  const count = (way: Way) =>
    `counter name tcp doff map { ${tcpHeaderWords.map((words) => `${words} : "${way}${words}"`).join(', ')} }`;
  const arriving = `iifname "${name}" ip daddr != ${ownAddress}`;
  await runIn(
    enter,
    'nft',
    [
      `add table ip ${table}`,
      `add set ip ${table} ${connections} { type ipv4_addr . inet_service . ipv4_addr . inet_service; flags dynamic; size 65535; }`,
      ...ways.flatMap((way) => tcpHeaderWords.map((words) => `add counter ip ${table} ${way}${words}`)),
      `add chain ip ${table} arriving { type filter hook prerouting priority mangle - 1; }`,
      `add rule ip ${table} arriving ${arriving} meta l4proto tcp ${count('fromUsers')}`,
      `add rule ip ${table} arriving ${arriving} tcp flags & (syn | ack) == syn add @${connections} { ip saddr . tcp sport . ip daddr . tcp dport }`,
      `add chain ip ${table} leaving { type filter hook output priority mangle; }`,
      `add rule ip ${table} leaving oifname "${name}" ip saddr != ${ownAddress} meta l4proto tcp ${count('toUsers')}`,
    ].join('\n'),
  );
  return {
    read: async () => readCounters(await runIn(enter, 'nft', '--json', 'list', 'table', 'ip', table)),
    [Symbol.asyncDispose]: async () => {
      await runIn(enter, 'nft', 'delete', 'table', 'ip', table);
    },
  };
}

function readCounters(printed: string): SplitCounters {
  const { nftables } = TableSchema.parse(JSON.parse(printed));
  const set = nftables.find((each) => each.set?.name === connections)?.set;
  if (!set) throw new AppError('testbed-failed', `nft prints no set of connections of ${table}`);
  const counters = new Map(nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter] as const] : [])));
  const payloadOf = (way: Way) =>
    tcpHeaderWords.reduce((sum, words) => {
      const { packets, bytes } = counters.get(`${way}${words}`)!;
      return sum + bytes - packets * (ipHeaderBytes + 4 * words);
    }, 0);
  return {
    connections: set.elem?.length ?? 0,
    fromUsersBytes: payloadOf('fromUsers'),
    toUsersBytes: payloadOf('toUsers'),
  };
}
