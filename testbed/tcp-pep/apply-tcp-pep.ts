import { AppError } from '#core/app-error.ts';
import { tcpPepPlaces, type TcpPep, type TcpPepPlace } from '#core/evaluation/network/tcp-pep.ts';
import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { nodeAddresses } from '../namespaces/addresses.ts';
import { nodeInterfaces } from '../namespaces/connect-nodes.ts';
import { findMissingTools } from '../namespaces/require-tools.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { applyTcpSettings } from '../tcp/apply-tcp-settings.ts';
import { divertConnections } from './divert-connections.ts';
import { startHaproxy } from './haproxy.ts';
import type { TcpPepReport } from './pep-report.ts';
import { startPepsal } from './pepsal.ts';
import { splitPort } from './split-program.ts';

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
