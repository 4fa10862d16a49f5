import { withoutFragment } from './page-object.ts';
import type { NetworkRequest } from './snapshot.ts';

/** A request and what it was redirected to, in order. */
export type RequestChain = readonly [NetworkRequest, ...NetworkRequest[]];

/** The engine's requests as chains, of which each can be taken once. */
export class RequestChains {
  readonly #free: Set<RequestChain>;
  readonly #byFirstUrl: Map<string, RequestChain[]>;
  readonly #documentsByLastUrl: Map<string, RequestChain[]>;

  constructor(requests: readonly NetworkRequest[]) {
    const hopsById = Map.groupBy(requests, (request) => request.id);
    const chains = Array.from(
      hopsById.values(),
      (hops) => hops.toSorted((a, b) => a.hop - b.hop) as [NetworkRequest, ...NetworkRequest[]],
    );
    this.#free = new Set(chains);
    this.#byFirstUrl = Map.groupBy(chains, ([first]) => withoutFragment(first.url));
    this.#documentsByLastUrl = Map.groupBy(
      chains.filter(([first]) => first.type === 'document'),
      (chain) => withoutFragment(chain.at(-1)!.url),
    );
  }

  /** Of the chains that began with this URL, and not before the document, the one whose start is nearest. */
  takeByFirstUrl(url: string, startEpochMs: number, documentEpochMs = -Infinity): RequestChain | null {
    return this.#takeNearest(this.#byFirstUrl.get(withoutFragment(url)), { startEpochMs, documentEpochMs });
  }

  /** Of the documents that ended at this URL, likewise. */
  takeDocument(url: string, startEpochMs: number, documentEpochMs = -Infinity): RequestChain | null {
    return this.#takeNearest(this.#documentsByLastUrl.get(withoutFragment(url)), { startEpochMs, documentEpochMs });
  }

  takeRest(): RequestChain[] {
    const rest = [...this.#free];
    this.#free.clear();
    return rest;
  }

  #takeNearest(
    chains: readonly RequestChain[] = [],
    { startEpochMs, documentEpochMs }: { startEpochMs: number; documentEpochMs: number },
  ): RequestChain | null {
    const distance = ([first]: RequestChain) => Math.abs(first.startEpochMs - startEpochMs);
    let nearest: RequestChain | null = null;
    for (const chain of chains) {
      if (!this.#free.has(chain) || chain[0].startEpochMs < documentEpochMs) continue;
      if (nearest === null || distance(chain) < distance(nearest)) nearest = chain;
    }
    if (nearest) this.#free.delete(nearest);
    return nearest;
  }
}
