import type { BackgroundLoad } from '#core/evaluation/scenarios/background-load.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { countMissed, type NetworkFigure } from '#core/protocol/network-figure.ts';
import { startBackground } from './background/start-background.ts';
import type { LinkBackend, LinkStatistics, MissedPackets } from './link/link-backend.ts';
import type { TestbedNetwork } from './namespaces/testbed-network.ts';
import { setTimeout as pause } from 'node:timers/promises';

/** A queue that is not empty by then is left: the next link check finds what it does. */
const emptyWithinMs = 30_000;
const pollMs = 50;
const spareMs = 200;

/** What crosses the network during a Round, as far as the testbed counts or sends it. */
export interface RoundTraffic extends AsyncDisposable {
  /** Ends it, and returns what was counted. */
  end(): Promise<NetworkFigure[]>;
}

export interface CountedLink {
  /** What its figures begin with; null for a single link. */
  name: string | null;
  link: Pick<LinkBackend, 'beginRound' | 'statistics'>;
  profile: LinkProfile;
}

/** Begins traces, begins to count what a Round does to the network, and starts the background load. */
export async function startRoundTraffic({
  network,
  links,
  hosts,
  loads,
}: {
  network: TestbedNetwork;
  links: readonly CountedLink[];
  hosts: { missed(): Promise<MissedPackets> };
  loads: BackgroundLoad;
}): Promise<RoundTraffic> {
  const before: LinkStatistics[] = [];
  for (const { link } of links) {
    await link.beginRound();
    before.push(await link.statistics());
  }
  const missedBefore = await hosts.missed();
  const background = loads.length > 0 ? await startBackground(network, loads) : null;
  return {
    end: async () => {
      await background?.stop();
      const ofHosts = missedFigures(await hosts.missed(), missedBefore);
      const counted = [...(await readLinkFigures(links, before)), ...ofHosts.map((each) => nameAfter('hosts', each))];
      if (!background) return counted;
      await awaitEmptyLinks(links);
      return [...counted, ...(await background.figures())];
    },
    [Symbol.asyncDispose]: async () => {
      await background?.[Symbol.asyncDispose]();
    },
  };
}

async function readLinkFigures(
  links: readonly CountedLink[],
  before: readonly LinkStatistics[],
): Promise<NetworkFigure[]> {
  const figures: NetworkFigure[] = [];
  for (const [index, { name, link }] of links.entries()) {
    const statistics = await link.statistics();
    const own = [...capacityFigures(statistics), ...missedFigures(statistics, before[index]!)];
    figures.push(...own.map((each) => (name === null ? each : nameAfter(name, each))));
  }
  return figures;
}

function nameAfter(name: string, each: NetworkFigure): NetworkFigure {
  return { ...each, figure: `${name} ${each.figure}` };
}

/** What each direction lost between the two readings that no profile loses. Empty where it lost nothing so. */
export function missedFigures(statistics: MissedPackets, before: MissedPackets): NetworkFigure[] {
  return (['forward', 'return'] as const).flatMap((side) => {
    const packets = statistics[side].missedPackets - before[side].missedPackets;
    return packets > 0 ? [countMissed(side, packets)] : [];
  });
}

/** What was assigned on demand in each direction between its first packet and its last, and how much of it was used. Empty where nothing is assigned. */
export function capacityFigures(statistics: LinkStatistics): NetworkFigure[] {
  return (['forward', 'return'] as const).flatMap((side): NetworkFigure[] => {
    const { capacity } = statistics[side];
    if (capacity === null) return [];
    const { assignedBytes, usedBytes } = capacity;
    const inKilobytes = (figure: string, bytes: number) =>
      ({ figure: `${side} capacity ${figure}`, unit: 'kB', value: bytes / 1000 }) as const;
    return [
      inKilobytes('assigned', assignedBytes),
      inKilobytes('used', usedBytes),
      inKilobytes('wasted', Math.max(0, assignedBytes - usedBytes)),
      {
        figure: `${side} utilisation`,
        unit: '%',
        value: assignedBytes > 0 ? Math.min(100, (usedBytes / assignedBytes) * 100) : null,
      },
    ];
  });
}

/** Waits until nothing waits on the links, and what flies over them has arrived. */
async function awaitEmptyLinks(
  links: readonly { link: Pick<LinkBackend, 'statistics'>; profile: LinkProfile }[],
): Promise<void> {
  const deadlineMs = performance.now() + emptyWithinMs;
  for (const { link } of links) {
    for (;;) {
      const { forward, return: back } = await link.statistics();
      if (forward.queuedPackets + back.queuedPackets === 0 || performance.now() > deadlineMs) break;
      await pause(pollMs);
    }
  }
  // There and back: what arrives may be answered, as a reset connection is.
  const flightMs = links.flatMap(({ profile }) => [profile.forward, profile.return]);
  await pause(flightMs.reduce((sum, { delayMs, jitterMs }) => sum + delayMs + jitterMs, spareMs));
}
