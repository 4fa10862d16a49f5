import type { BackgroundLoad } from '#core/evaluation/scenarios/background-load.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import { startBackground } from '../background/start-background.ts';
import type { LinkBackend } from '../link/link-backend.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { awaitEmptyLinks } from './await-empty-links.ts';
import { capacityFigures } from './capacity-figures.ts';

/** What crosses the network during a Round, as far as the testbed counts or sends it. */
export interface RoundTraffic extends AsyncDisposable {
  /** Ends it, and returns what was counted. */
  end(): Promise<NetworkFigure[]>;
}

export interface CountedLink {
  /** What its figures begin with; null for a single link. */
  name: string | null;
  link: Pick<LinkBackend, 'beginCapacity' | 'statistics'>;
  profile: LinkProfile;
}

/** Begins to count what a Round does to the network, and starts the background load. */
export async function startRoundTraffic({
  network,
  links,
  loads,
}: {
  network: TestbedNetwork;
  links: readonly CountedLink[];
  loads: BackgroundLoad;
}): Promise<RoundTraffic> {
  for (const { link } of links) await link.beginCapacity();
  const background = loads.length > 0 ? await startBackground(network, loads) : null;
  return {
    end: async () => {
      await background?.stop();
      const capacities = await readCapacities(links);
      if (!background) return capacities;
      await awaitEmptyLinks(links);
      return [...capacities, ...(await background.figures())];
    },
    [Symbol.asyncDispose]: async () => {
      await background?.[Symbol.asyncDispose]();
    },
  };
}

async function readCapacities(links: readonly CountedLink[]): Promise<NetworkFigure[]> {
  const figures: NetworkFigure[] = [];
  for (const { name, link } of links) {
    const own = capacityFigures(await link.statistics());
    figures.push(...own.map((each) => (name === null ? each : { ...each, figure: `${name} ${each.figure}` })));
  }
  return figures;
}
