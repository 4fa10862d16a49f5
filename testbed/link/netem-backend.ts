import { AppError } from '#core/app-error.ts';
import {
  needsUserspace,
  type LinkDirection,
  type LinkProfile,
  largestFrameBytes,
  burstChances,
} from '#core/evaluation/network/link-profile.ts';
import { removeUnlessGone, runTool } from '../namespaces/run-tool.ts';
import { bringUp } from '../namespaces/connect-nodes.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import type { LinkBackend, LinkInterfaces, LinkStatistics, DirectionStatistics } from './link-backend.ts';
import { z } from 'zod';

/** As good as unlimited: 1.2 µs for a full packet. */
const fastestBitsPerSecond = 10_000_000_000;
/** A token bucket that is woken up later than this would lose tokens, and with them rate. A kernel without precise timers has ticks of 10 ms. */
const wakeUpMs = 10;
const smallestFrameBytes = 60;

/** The two queueing disciplines that a direction passes, as the arguments of tc. */
interface QdiscArguments {
  /**
   * The queue: a token bucket that lets packets wait, and lets them go at the link's rate on average. Its bucket holds one packet, which
   * is for the one that is being sent, and some more, which goes ahead and waits in the flight instead: the limit is less by that.
   */
  queue: string[];
  /**
   * Serialisation at the exact rate, then loss and delay. With a rate, netem keeps packets in order at any jitter. Its limit is
   * beyond all that can fly: nothing is dropped here but by chance.
   */
  flight: string[];
}

/** What `tc -s -j qdisc show` prints of a queueing discipline, as far as it is read. */
const QdiscsSchema = z.array(
  z.object({
    kind: z.string(),
    bytes: z.number(),
    packets: z.number(),
    drops: z.number(),
    backlog: z.number(),
    qlen: z.number(),
  }),
);

/** The interfaces of one link: those that lead to its ends, a bridge at each, and the pair between the bridges. */
interface Wiring {
  bridges: LinkInterfaces;
  middle: LinkInterfaces;
  /** Per direction, the interface that packets leave by after waiting, and the one that they leave by after flying. */
  passages: Record<'forward' | 'return', { queue: string; flight: string }>;
}

function wire(interfaces: LinkInterfaces): Wiring {
  const middle = { ground: `mid-${interfaces.ground}`, remote: `mid-${interfaces.remote}` };
  return {
    bridges: { ground: `br-${interfaces.ground}`, remote: `br-${interfaces.remote}` },
    middle,
    passages: {
      forward: { queue: middle.ground, flight: interfaces.remote },
      return: { queue: middle.remote, flight: interfaces.ground },
    },
  };
}

/**
 * Opens the link in the kernel. An interface has one queueing discipline on its way out, and a link needs two, the queue before the
 * flight: so there are two bridges in `satellite` with an interface pair between them, and each direction leaves by two interfaces.
 */
export async function openNetemLink({
  network,
  interfaces,
  profile,
}: {
  network: TestbedNetwork;
  interfaces: LinkInterfaces;
  profile: LinkProfile;
}): Promise<LinkBackend> {
  refuseUserspace(profile);
  const namespace = network.namespaces.satellite;
  const backend = new NetemLink(namespace, interfaces);
  const { bridges, middle } = wire(interfaces);
  try {
    await runTool('ip', '-n', namespace, 'link', 'add', middle.ground, 'type', 'veth', 'peer', 'name', middle.remote);
    await backend.apply(profile);
    for (const end of ['ground', 'remote'] as const) {
      await bringUp({ namespace, name: middle[end] });
      await runTool('ip', '-n', namespace, 'link', 'add', bridges[end], 'type', 'bridge', 'mcast_snooping', '0');
      for (const port of [interfaces[end], middle[end]])
        await runTool('ip', '-n', namespace, 'link', 'set', port, 'master', bridges[end]);
      await runTool('ip', '-n', namespace, 'link', 'set', bridges[end], 'up');
    }
    return backend;
  } catch (error) {
    // Else the next one would find the names taken.
    await backend[Symbol.asyncDispose]();
    throw error;
  }
}

function refuseUserspace(profile: LinkProfile): void {
  if (!needsUserspace(profile)) return;
  throw new AppError(
    'testbed-refused',
    `netem cannot emulate the varying rate, the managed queue or the jitter above 2 s of the link ${profile.name}: open the testbed without "--backend netem"`,
  );
}

class NetemLink implements LinkBackend {
  readonly kind = 'netem';
  readonly failed = new AbortController().signal; // the kernel does not
  readonly #namespace: string;
  readonly #interfaces: LinkInterfaces;
  readonly #wiring: Wiring;

  constructor(namespace: string, interfaces: LinkInterfaces) {
    this.#namespace = namespace;
    this.#interfaces = interfaces;
    this.#wiring = wire(interfaces);
  }

  async apply(profile: LinkProfile): Promise<void> {
    refuseUserspace(profile);
    const { passages } = this.#wiring;
    await this.#applyDirection(profile.forward, passages.forward);
    await this.#applyDirection(profile.return, passages.return);
  }

  async beginRound(): Promise<void> {
    // The kernel has neither traces nor capacity on demand.
  }

  async statistics(): Promise<LinkStatistics> {
    const { passages } = this.#wiring;
    return {
      forward: await readDirection(this.#namespace, passages.forward),
      return: await readDirection(this.#namespace, passages.return),
    };
  }

  /** What was not made yet needs no removing. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { bridges, middle } = this.#wiring;
    const remove = (tool: 'ip' | 'tc', ...words: string[]) =>
      removeUnlessGone(/Cannot find device|handle of zero|No such file/, [tool, '-n', this.#namespace, ...words]);
    for (const end of ['ground', 'remote'] as const) {
      await remove('ip', 'link', 'delete', bridges[end]);
      await remove('tc', 'qdisc', 'delete', 'dev', this.#interfaces[end], 'root');
    }
    await remove('ip', 'link', 'delete', middle.ground);
  }

  async #applyDirection(direction: LinkDirection, { queue, flight }: { queue: string; flight: string }): Promise<void> {
    const args = qdiscArguments(direction);
    await runTool('tc', '-n', this.#namespace, 'qdisc', 'replace', 'dev', queue, 'root', 'handle', '1:', ...args.queue);
    await runTool(
      'tc',
      '-n',
      this.#namespace,
      'qdisc',
      'replace',
      'dev',
      flight,
      'root',
      'handle',
      '1:',
      ...args.flight,
    );
  }
}

/** The statistics of a direction, from the interface of its queue and that of its flight. */
async function readDirection(
  namespace: string,
  { queue, flight }: { queue: string; flight: string },
): Promise<DirectionStatistics> {
  const waiting = await readQdisc(namespace, { interface: queue, kind: 'tbf' });
  const flying = await readQdisc(namespace, { interface: flight, kind: 'netem' });
  return {
    arrivedPackets: waiting.packets + waiting.drops + waiting.qlen,
    // The kernel counts dropped packets, but not their bytes.
    arrivedBytes: waiting.bytes + waiting.backlog,
    deliveredPackets: flying.packets,
    deliveredBytes: flying.bytes,
    droppedPackets: waiting.drops,
    lostPackets: flying.drops,
    missedPackets: 0, // the kernel does not
    queuedPackets: waiting.qlen,
    queuedBytes: waiting.backlog,
    capacity: null,
  };
}

async function readQdisc(namespace: string, { interface: name, kind }: { interface: string; kind: string }) {
  const output = await runTool('tc', '-n', namespace, '-s', '-j', 'qdisc', 'show', 'dev', name);
  const found = QdiscsSchema.parse(JSON.parse(output)).find((qdisc) => qdisc.kind === kind);
  if (!found) throw new Error(`${name} has lost its ${kind}: somebody has changed it`);
  return found;
}

/** Throws for a rate that varies: the kernel has nothing for that. */
export function qdiscArguments(direction: LinkDirection): QdiscArguments {
  const { rate, queueBytes, delayMs, jitterMs } = direction;
  if (rate.kind !== 'constant' && rate.kind !== 'unlimited')
    throw new TypeError(`netem has no rate of kind ${rate.kind}`);
  const bitsPerSecond = rate.kind === 'constant' ? Math.round(rate.kbps * 1000) : fastestBitsPerSecond;
  const aheadBytes = Math.floor(Math.min((bitsPerSecond / 8000) * wakeUpMs, queueBytes - largestFrameBytes));
  const burstBytes = largestFrameBytes + aheadBytes;
  const flyingBytes = (bitsPerSecond / 8000) * (delayMs + jitterMs) + burstBytes;
  return {
    queue: ['tbf', 'rate', `${bitsPerSecond}bit`, 'burst', `${burstBytes}`, 'limit', `${queueBytes - aheadBytes}`],
    flight: [
      'netem',
      ...['limit', `${Math.min(10_000_000, Math.ceil(1000 + flyingBytes / smallestFrameBytes))}`],
      ...['delay', microseconds(delayMs), ...(jitterMs > 0 ? [microseconds(jitterMs)] : [])],
      ...lossArguments(direction),
      ...['rate', `${bitsPerSecond}bit`],
    ],
  };
}

function lossArguments({ lossRatio, lossBurstPackets }: LinkDirection): string[] {
  if (lossRatio <= 0) return [];
  if (lossBurstPackets === null) return ['loss', percent(lossRatio)];
  const { begin, end } = burstChances(lossRatio, lossBurstPackets);
  return ['loss', 'gemodel', percent(begin), percent(end)];
}

function percent(ratio: number): string {
  return `${ratio * 100}%`;
}

function microseconds(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}
