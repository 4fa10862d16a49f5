import { lastsForPass, type PageLoad } from '../evaluation/pages/page-load.ts';
import type { ResourceEntry } from './frame-snapshot.ts';
import type { NetworkRequest } from './network-request.ts';
import type { Snapshot } from './snapshot.ts';

/** A connection is closed by a FIN each way: one round trip after the first, the last packet has come. The rest is for queues on the way. */
const closingRoundTrips = 1.25;
/** An origin that answers late is no long link. */
const longestClosingMs = 3_000;

/**
 * The rest before each Visit of a Pass: `restMs`, or what its order says, and where each Visit has connections of its own, no less than those of the Visit before need to close.
 * Their round trip is taken to be the second shortest time in which a request of that Visit was answered. The shortest may be wrong: on a connection
 * that it opened ahead, Firefox takes the session ticket of TLS for the first byte of the answer. The extension knows no time of sending: there the
 * page's own entries have both.
 */
export class VisitRest {
  readonly #pageLoad: Pick<PageLoad, 'restMs' | 'cache'>;
  #closingMs = 0;

  constructor(pageLoad: Pick<PageLoad, 'restMs' | 'cache'>) {
    this.#pageLoad = pageLoad;
  }

  /** In ms. `restMs`: of this Visit, where it has one of its own. */
  before(restMs = this.#pageLoad.restMs): number {
    return Math.max(restMs, this.#closingMs);
  }

  /** With each Visit when it has ended; one without any answer changes nothing. */
  note(snapshot: Snapshot | null): void {
    if (snapshot === null || lastsForPass(this.#pageLoad)) return;
    const answersMs = listAnswersMs(snapshot).sort((a, b) => a - b);
    const answerMs = answersMs[1] ?? answersMs[0];
    if (answerMs !== undefined) this.#closingMs = Math.min(Math.ceil(closingRoundTrips * answerMs), longestClosingMs);
  }
}

function listAnswersMs({ requests, frames }: Snapshot): number[] {
  if (requests.some(({ sentEpochMs }) => sentEpochMs !== null)) return requests.flatMap(readAnswerMs);
  return frames.flatMap(({ navigation, resources }) => [navigation ?? [], resources].flat().flatMap(readEntryMs));
}

function readAnswerMs({ fromCache, sentEpochMs, responseEpochMs }: NetworkRequest): number[] {
  return fromCache || sentEpochMs === null || responseEpochMs === null || responseEpochMs < sentEpochMs
    ? []
    : [responseEpochMs - sentEpochMs];
}

/** Nothing came over the network of what has no size, or another origin hides it. */
function readEntryMs({
  requestStart,
  responseStart,
  transferSize,
}: Pick<ResourceEntry, 'requestStart' | 'responseStart' | 'transferSize'>): number[] {
  return transferSize > 0 && requestStart > 0 && responseStart >= requestStart ? [responseStart - requestStart] : [];
}
