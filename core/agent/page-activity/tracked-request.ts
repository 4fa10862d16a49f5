import { withoutFragment } from '../../metrics/page-object.ts';
import { isReplayMissType } from '../../metrics/replay-misses.ts';
import { isGivenUp } from '../../metrics/request-outcome.ts';
import { awaitedInVainMs, typeOfStream } from '../../metrics/settle-rule.ts';
import type { NetworkRequest } from '../../metrics/network-request.ts';
import type { EventOf, RequestEnd, RequestPlace } from './activity-event.ts';

const nowhereKnown: RequestPlace = {
  frameId: null,
  documentId: null,
  documentUrl: null,
  targetId: null,
  mayStayUnread: false,
  isPrerendered: false,
};

/** A request with its redirects, as far as it is known. Each hop has exactly one end: events after it change nothing. */
export class TrackedRequest {
  readonly hops: NetworkRequest[];
  readonly place: RequestPlace;
  /** Whether settling waits for it, wherever it is redirected to. */
  delaysSettling = false;
  /** Of a document: whether it is there. */
  hasCome = false;
  /** Whether it has an end, even one whose time is never known. */
  #hasEnded = false;
  /** Whether its body goes to another part of the browser, which reports no end of it. */
  #isHandedOver = false;
  #expectedBytes: number | null = null;
  #headBytes: number | null = null;
  #encodedBytes = 0;
  #lastDataEpochMs: number | null = null;

  constructor(request: NetworkRequest, place: Partial<RequestPlace>) {
    this.hops = [request];
    this.place = { ...nowhereKnown, ...place };
  }

  get first(): NetworkRequest {
    return this.hops[0]!;
  }

  get last(): NetworkRequest {
    return this.hops.at(-1)!;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether it failed without any answer. */
  get hasNoAnswer(): boolean {
    return this.#hasEnded && this.last.failure !== null && this.last.status === null;
  }

  /** Whether it leads to this address, and no document came of it. */
  isOnWayTo(url: string): boolean {
    return !this.hasCome && withoutFragment(this.last.url) === withoutFragment(url);
  }

  /** The hop, the last one unless it is named. */
  find(hop?: number): NetworkRequest | null {
    return (hop === undefined ? this.last : this.hops.find((each) => each.hop === hop)) ?? null;
  }

  redirect(request: NetworkRequest): void {
    this.hops.push(request);
    this.#hasEnded = false;
    this.#expectedBytes = this.#headBytes = this.#lastDataEpochMs = null;
    this.#encodedBytes = 0;
  }

  /** Of a page that was loaded ahead and is shown: what it fetched is the page's. Returns whether this is of it. */
  adopt(documentId: string | null, url: string): boolean {
    if (!this.place.isPrerendered) return false;
    const isItsDocument = this.first.type === 'document' && this.place.frameId !== null && this.last.url === url;
    if (!isItsDocument && (documentId === null || this.place.documentId !== documentId)) return false;
    this.place.isPrerendered = false;
    if (isItsDocument) for (const hop of this.hops) hop.isMainDocument = true;
    return true;
  }

  /** Takes back a hop, or all. Returns whether none is left. */
  withdraw(hop?: number): boolean {
    const index = hop === undefined ? 0 : this.hops.findIndex((each) => each.hop === hop);
    if (index >= 0) this.hops.splice(index, hop === undefined ? Infinity : 1);
    return this.hops.length === 0;
  }

  /** Returns the type that the answer shows it to be: a stream; otherwise null. */
  noteAnswer(event: EventOf<'answer-came'>): NetworkRequest['type'] | null {
    const { hop, fields, mimeType, expectedBytes, headBytes, targetId } = event;
    const request = this.find(hop);
    if (!request || this.#isEnded(request)) return null;
    Object.assign(request, fields);
    if (targetId !== undefined) this.place.targetId = targetId;
    if (request !== this.last) return null;
    this.#expectedBytes = expectedBytes ?? null;
    this.#headBytes = headBytes ?? null;
    const type = mimeType ?? request.exchange?.mimeType ?? '';
    if (isReplayMissType(type)) request.isReplayMiss = true;
    this.#isHandedOver = isHandedOver(request.type, type);
    return typeOfStream(request.type, type);
  }

  /** More of it comes though it had ended in vain: a server or a link that paused. Returns whether that is so. */
  continue(): boolean {
    const { endedBy } = this.last;
    if (!this.#hasEnded || this.#isHandedOver || (endedBy !== 'never' && endedBy !== 'last-data')) return false;
    this.#hasEnded = false;
    this.last.endEpochMs = null;
    delete this.last.endedBy;
    return true;
  }

  /** Returns its end where its body is whole and nobody else reports that. */
  noteData({ atEpochMs, encodedBytes, decodedBytes }: EventOf<'data-came'>): RequestEnd | null {
    if (this.#hasEnded) return null;
    this.last.decodedBytes = (this.last.decodedBytes ?? 0) + decodedBytes;
    this.#encodedBytes += encodedBytes;
    this.#lastDataEpochMs = atEpochMs;
    const isWhole = this.#expectedBytes !== null && this.#encodedBytes >= this.#expectedBytes;
    return this.#mayHaveNoEnd && isWhole ? { atEpochMs, by: 'length', failure: null } : null;
  }

  /** Its end where nobody reads its body, and nothing more of it comes; otherwise null. */
  findEndInVain(atEpochMs: number): RequestEnd | null {
    const { responseEpochMs, status } = this.last;
    if (!this.#mayHaveNoEnd || status === null) return null;
    const lastEpochMs = this.#lastDataEpochMs ?? responseEpochMs;
    if (lastEpochMs === null || atEpochMs - lastEpochMs < awaitedInVainMs) return null;
    const by = this.#lastDataEpochMs === null && !this.#isHandedOver ? 'never' : 'last-data';
    return { atEpochMs: lastEpochMs, by, failure: null };
  }

  /** Returns whether this was the end of its last hop. */
  end({ atEpochMs, by, failure, receivedBytes = null, fields = {} }: RequestEnd, hop?: number): boolean {
    const request = this.find(hop);
    if (!request) return false;
    if (this.#isEnded(request)) {
      // The browser has counted meanwhile what came of a body that nobody had read.
      const wasWhole = request.endedBy === 'length' || request.endedBy === 'last-data';
      if (by === 'network' && failure === null && wasWhole) this.#noteReceived(request, receivedBytes);
      return false;
    }
    Object.assign(request, fields);
    request.endEpochMs = by === 'never' ? null : atEpochMs;
    if (by !== 'network') request.endedBy = by;
    request.failure = failure?.slice(0, 1024) ?? null;
    const isEmpty = hasNoBody(request, this.#expectedBytes);
    // Of 304, the page has the body that the cache had.
    if (isEmpty && request.status !== 304) request.decodedBytes ??= 0;
    // A document that is there, and stops itself, has come as far as it will.
    if (isGivenUp(request) && (this.hasCome || isEmpty)) request.failure = null;
    const countedBytes = this.#headBytes === null ? null : this.#headBytes + this.#encodedBytes;
    this.#noteReceived(request, receivedBytes ?? request.receivedBytes ?? countedBytes);
    if (request !== this.last) return false;
    this.#hasEnded = true;
    return true;
  }

  /** Whether no browser may report its end. */
  get #mayHaveNoEnd(): boolean {
    return this.place.mayStayUnread || this.#isHandedOver;
  }

  /** Of a hop that another one follows, its own field says so. */
  #isEnded(request: NetworkRequest): boolean {
    return request === this.last ? this.#hasEnded : request.endEpochMs !== null;
  }

  #noteReceived(request: NetworkRequest, receivedBytes: number | null): void {
    request.receivedBytes = receivedBytes;
    if (receivedBytes !== null && this.#headBytes !== null)
      request.receivedBodyBytes = Math.max(0, receivedBytes - this.#headBytes);
  }
}

/** In Chrome, a style sheet that transforms its document, which is replaced by what comes of it, and a document that is a sound or a film, whose player fetches it once more. */
function isHandedOver(type: NetworkRequest['type'], mimeType: string): boolean {
  if (type === 'document') return /^(audio|video)\//i.test(mimeType);
  return type === 'style-sheet' && /^[\w.-]+\/([\w.-]+\+)?(xml|xsl)\b/i.test(mimeType);
}

/** Browsers call an answer without a body aborted where nobody reads it. */
function hasNoBody({ status, isMainDocument, exchange }: NetworkRequest, expectedBytes: number | null): boolean {
  if (status === null || isMainDocument) return false;
  return exchange?.method === 'HEAD' || status === 204 || status === 205 || status === 304 || expectedBytes === 0;
}
