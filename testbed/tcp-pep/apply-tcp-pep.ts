import { AppError } from '#core/app-error.ts';
import { tcpPepPlaces, type TcpPep, type TcpPepPlace } from '#core/evaluation/network/tcp-pep.ts';
import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { nodeAddresses } from '../namespaces/addresses.ts';
import { nodeInterfaces } from '../namespaces/connect-nodes.ts';
import { findMissingTools } from '../namespaces/require-tools.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { applyTcpSettings } from '../tcp/apply-tcp-settings.ts';
import type { TcpPepReport } from './pep-report.ts';
import { startPepsal } from './pepsal.ts';
import { splitPort, startInNode, type SplitCounters, type SplitProgram } from './split-program.ts';
import path from 'node:path';
import { z } from 'zod';
import { orRefuse, runIn, type Enter } from '../namespaces/run-tool.ts';

const table = 'http_ae_pep';
const counter = 'passed';
/** Of packets that a local socket is to get, at the address of another host: their mark, and the routes that such packets take. */
const mark = '1';
const routes = '100';

interface DivertOptions {
  /** By which connections of users come. */
  interface: string;
  /** Of the node itself: what is sent to it needs no diverting. */
  ownAddress: string;
  /** Where the program listens that gets them. */
  port: number;
}

/** Connections that are handed to a local program, until this is disposed of. */
interface Diversion extends AsyncDisposable {
  /** Connections that passed the node since, instead of being handed over. */
  countPassed(): Promise<number>;
}

const CountersSchema = z.object({
  nftables: z.array(z.object({ counter: z.object({ name: z.string(), packets: z.number() }).optional() })),
});

const count = z.string().regex(/^\d+$/).transform(Number);
const RowSchema = z.object({ stot: count, bin: count, bout: count });

/** Where it reports what it did: on the loopback interface of its node alone. */
const statisticsPort = 5081;

const configuration = path.join(import.meta.dirname, 'haproxy.cfg');
const statisticsProgram = path.join(import.meta.dirname, 'show-statistics.ts');

/** A transport PEP that is at work until this is disposed of. */
export interface AppliedTcpPep extends AsyncDisposable {
  /** What it did since, from the users to the origins. */
  report(): Promise<TcpPepReport[]>;
}

/** Starts each program. */
const startProgram = { haproxy: startHaproxy, pepsal: startPepsal } as const;

/** By which connections of users come to each node. */
const userSides = { terminal: nodeInterfaces.access, gateway: nodeInterfaces.satellite } as const;

/** Lets a PEP split the TCP connections that pass the nodes of a path. Throws `testbed-refused` and `testbed-failed`: nothing is left then. */
export async function applyTcpPep(network: TestbedNetwork, pep: TcpPep): Promise<AppliedTcpPep> {
  refuseMissing(pep.program);
  await using resources = new AsyncDisposableStack();
  const places = tcpPepPlaces.filter((place) => pep.at.includes(place));
  // At once: each of them waits for a round trip of the satellite. What one fails with does not keep the other from being taken back.
  const opened = await Promise.allSettled(places.map((at) => applyAt(network, { at, pep })));
  const applied = opened.flatMap((each) => (each.status === 'fulfilled' ? [resources.use(each.value)] : []));
  const failed = opened.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  const remove = resources.move();
  return {
    report: () => Promise.all(applied.map(({ report }) => report())),
    [Symbol.asyncDispose]: () => remove.disposeAsync(),
  };
}

async function applyAt(
  network: TestbedNetwork,
  { at, pep }: { at: TcpPepPlace; pep: TcpPep },
): Promise<{ report: () => Promise<TcpPepReport> } & AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const enter = network.enter(at);
  const peer = at === 'terminal' ? 'gateway' : 'terminal';
  // Before connections are diverted: the other node would split the one by which the settings are verified.
  resources.use(
    await applyTcpSettings({
      settings: settingsOf(pep),
      enter,
      interface: nodeInterfaces.satellite,
      peer: { enter: network.enter(peer), address: nodeAddresses[peer] },
    }),
  );
  const users = { interface: userSides[at], ownAddress: nodeAddresses[at] };
  const program = resources.use(await startProgram[pep.program](enter, users));
  const diversion = resources.use(await divertConnections(enter, { ...users, port: splitPort }));
  const report = async (): Promise<TcpPepReport> => {
    try {
      const [counters, passedConnections] = await Promise.all([program.readCounters(), diversion.countPassed()]);
      return { kind: 'counted', at, passedConnections, ...counters };
    } catch (error) {
      return { kind: 'absent', at, reason: (error as Error).message };
    }
  };
  const remove = resources.move();
  return { report, [Symbol.asyncDispose]: () => remove.disposeAsync() };
}

const headerBytes = 40;

function settingsOf({ congestionControl, windowBytes }: TcpPep): TcpSettings {
  return {
    ...(congestionControl !== undefined && { congestionControl }),
    ...(windowBytes !== undefined && {
      receiveBufferBytes: windowBytes,
      // Twice, as the kernel counts its own overhead in it.
      sendBufferBytes: 2 * windowBytes,
      initialWindowSegments: Math.ceil(windowBytes / (1500 - headerBytes)),
    }),
  };
}

/** Debian's package of each tool; none has one of PEPsal. */
const packages: Readonly<Record<string, string>> = { haproxy: 'haproxy', nft: 'nftables', setpriv: 'util-linux' };

function refuseMissing(program: TcpPep['program']): void {
  const missing = findMissingTools(process.env.PATH ?? '', { [program]: program, nft: 'nft', setpriv: 'setpriv' });
  if (missing.length === 0) return;
  const named = `tcpPep needs ${missing.map((tool) => `\`${tool}\``).join(', ')}, which is not installed`;
  if (missing.includes('pepsal'))
    throw new AppError(
      'testbed-refused',
      `${named}: no distribution has a package of PEPsal. Build it from its source (docs/testbed.md, Transport PEPs), or write program: haproxy`,
    );
  const needed = missing.map((tool) => packages[tool]).join(' ');
  throw new AppError('testbed-refused', `${named}: install ${needed} (Debian, Ubuntu: sudo apt-get install ${needed})`);
}

/** Starts haproxy in a node, and waits until it serves. Throws `testbed-failed`. */
async function startHaproxy(enter: Enter): Promise<SplitProgram> {
  await using resources = new AsyncDisposableStack();
  const haproxy = resources.use(
    startInNode(enter, ['haproxy', '-db', '-f', configuration], {
      PORT: `${splitPort}`,
      STATISTICS_PORT: `${statisticsPort}`,
    }),
  );
  const readCounters = async (): Promise<SplitCounters> =>
    readProxyCounters(await haproxy.during(runIn(enter, process.execPath, statisticsProgram, `${statisticsPort}`)));
  await readCounters();
  const remove = resources.move();
  return { readCounters, [Symbol.asyncDispose]: () => remove.disposeAsync() };
}

/** Reads them from what haproxy prints for `show stat`: a header, and a line for each frontend and backend (management guide, 9.1). */
export function readProxyCounters(printed: string): SplitCounters {
  const [header = '', ...lines] = printed.split('\n');
  const names = header.replace(/^# /, '').split(',');
  const rows = lines.map((line) => new Map(line.split(',').map((value, index) => [names[index], value])));
  const users = rows.find((row) => row.get('pxname') === 'users' && row.get('svname') === 'FRONTEND');
  const parsed = RowSchema.safeParse(Object.fromEntries(users ?? []));
  if (!parsed.success)
    throw new AppError(
      'testbed-failed',
      `haproxy reports no connections of users: it printed ${JSON.stringify(printed.slice(0, 500))}`,
    );
  const { stot, bin, bout } = parsed.data;
  return { connections: stot, fromUsersBytes: bin, toUsersBytes: bout };
}

/**
 * Hands every TCP connection of users that comes to a node to a program there, with both addresses as they are (the kernel's TPROXY), and every packet that answers
 * a connection of that program, which has a user's address. Throws `testbed-refused` where the kernel or nftables cannot.
 */
async function divertConnections(
  enter: Enter,
  { interface: name, ownAddress, port }: DivertOptions,
): Promise<Diversion> {
  await using undo = new AsyncDisposableStack();
  await runNft(
    enter,
    [
      `add table ip ${table}`,
      `add counter ip ${table} ${counter}`,
      `add chain ip ${table} arriving { type filter hook prerouting priority mangle; }`,
      `add rule ip ${table} arriving meta l4proto tcp socket transparent 1 meta mark set ${mark} accept`,
      `add rule ip ${table} arriving iifname "${name}" ip daddr != ${ownAddress} meta l4proto tcp tproxy to :${port} meta mark set ${mark} accept`,
      `add chain ip ${table} passing { type filter hook forward priority filter; }`,
      `add rule ip ${table} passing iifname "${name}" tcp flags & (syn | ack) == syn counter name ${counter}`,
    ].join('\n'),
  );
  undo.defer(() => runNft(enter, `delete table ip ${table}`));
  await runIn(enter, 'ip', 'rule', 'add', 'fwmark', mark, 'lookup', routes);
  undo.defer(async () => {
    await runIn(enter, 'ip', 'rule', 'delete', 'fwmark', mark, 'lookup', routes);
  });
  const toLocal = ['local', '0.0.0.0/0', 'dev', 'lo', 'table', routes] as const;
  await runIn(enter, 'ip', 'route', 'add', ...toLocal);
  undo.defer(async () => {
    await runIn(enter, 'ip', 'route', 'delete', ...toLocal);
  });
  const remove = undo.move();
  return {
    countPassed: () => readCounter(enter),
    [Symbol.asyncDispose]: () => remove.disposeAsync(),
  };
}

async function readCounter(enter: Enter): Promise<number> {
  const printed = await runIn(enter, 'nft', '--json', 'list', 'counter', 'ip', table, counter);
  const { nftables } = CountersSchema.parse(JSON.parse(printed));
  return nftables.find((each) => each.counter?.name === counter)?.counter?.packets ?? 0;
}

async function runNft(enter: Enter, rules: string): Promise<void> {
  await orRefuse(runIn(enter, 'nft', rules), (problem) => `tcpPep needs a kernel with nftables and TPROXY: ${problem}`);
}
