import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import type { LinkBackend } from '../link/link-backend.ts';
import { capacityFigures } from './capacity-figures.ts';

/** What crosses the network during a Round, as far as the testbed counts it. */
export interface RoundTraffic extends AsyncDisposable {
  /** Ends it, and returns what was counted. */
  end(): Promise<NetworkFigure[]>;
}

export interface CountedLink {
  /** What its figures begin with; null for a single link. */
  name: string | null;
  link: Pick<LinkBackend, 'beginCapacity' | 'statistics'>;
}

/** Begins to count what a Round does to the network. */
export async function startRoundTraffic({ links }: { links: readonly CountedLink[] }): Promise<RoundTraffic> {
  for (const { link } of links) await link.beginCapacity();
  return {
    end: () => readCapacities(links),
    [Symbol.asyncDispose]: () => Promise.resolve(),
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
