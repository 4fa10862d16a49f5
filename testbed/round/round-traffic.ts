import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import type { LinkBackend } from '../link/link-backend.ts';
import { capacityFigures } from './capacity-figures.ts';

/** What crosses the network during a Round, as far as the testbed counts it. */
export interface RoundTraffic extends AsyncDisposable {
  /** Ends it, and returns what was counted. */
  end(): Promise<NetworkFigure[]>;
}

/** Begins to count what a Round does to the network. */
export async function startRoundTraffic({ link }: { link: LinkBackend }): Promise<RoundTraffic> {
  await link.beginCapacity();
  return {
    end: async () => capacityFigures(await link.statistics()),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
