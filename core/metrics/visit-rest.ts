import type { PageLoad } from '../evaluation/page-load.ts';
import type { NetworkRequest, Snapshot } from './snapshot.ts';

/** A connection is closed by a FIN each way: one round trip after the first, the last packet has come. The rest is for queues on the way. */
const closingRoundTrips = 1.25;
/** An origin that answers late is no long link. */
const longestClosingMs = 3_000;

/**
 * The rest before each Visit of a Pass: `restMs`, and where each Visit has connections of its own, no less than those of the Visit before need to close.
 * Their round trip is taken to be the shortest time in which a request of that Visit was answered.
 */
export class VisitRest {
  readonly #pageLoad: Pick<PageLoad, 'restMs' | 'cache'>;
  #closingMs = 0;

  constructor(pageLoad: Pick<PageLoad, 'restMs' | 'cache'>) {
    this.#pageLoad = pageLoad;
  }

  get ms(): number {
    return Math.max(this.#pageLoad.restMs, this.#closingMs);
  }

  /** With each Visit when it has ended; one without any answer changes nothing. */
  note(snapshot: Snapshot | null): void {
    if (snapshot === null || this.#pageLoad.cache === 'warm') return;
    const answerMs = Math.min(...snapshot.requests.flatMap(readAnswerMs));
    if (Number.isFinite(answerMs)) this.#closingMs = Math.min(Math.ceil(closingRoundTrips * answerMs), longestClosingMs);
  }
}

function readAnswerMs({ fromCache, sentEpochMs, responseEpochMs }: NetworkRequest): number[] {
  return fromCache || sentEpochMs === null || responseEpochMs === null || responseEpochMs < sentEpochMs ? [] : [responseEpochMs - sentEpochMs];
}
