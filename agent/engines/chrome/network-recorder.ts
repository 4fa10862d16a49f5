import type { CDPSession, Protocol } from 'puppeteer-core';
import { SettleRule } from '#core/metrics/settle-rule.ts';
import { describeExcess } from '#core/metrics/read-document-failure.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { HeaderRecorder } from './header-recorder.ts';
import { beginRecord, recordEnd, recordResponse, type RequestRecord } from './request-record.ts';

/** Why a request of a frame or worker that ended has no other end. */
export const goneAway = 'The frame or worker went away';

/**
 * Records the requests of one page from the network events of all its frames and workers, and knows what is in flight. A frame's document may begin in the process of its parent and end in its own: a request is known by its id, in both.
 */
export class NetworkRecorder {
  readonly #mainFrameId: string;
  readonly #headers: HeaderRecorder | null;
  readonly #usedConnections: Set<string>;
  readonly #chains = new Map<string, RequestRecord[]>();
  readonly #sessionOf = new Map<string, CDPSession>();
  readonly #awaited = new Set<string>();
  #settleRule = new SettleRule();
  readonly #excess = new AbortController();
  #hasLoaded = false;
  #activity = Promise.withResolvers<undefined>();
  #lastActivityMs = performance.now();

  constructor(
    mainFrameId: string,
    { recordsHeaders = false, usedConnections }: { recordsHeaders?: boolean | undefined; usedConnections: Set<string> },
  ) {
    this.#mainFrameId = mainFrameId;
    this.#usedConnections = usedConnections;
    this.#headers = recordsHeaders ? new HeaderRecorder() : null;
  }

  /** Whether the page's load event has fired and nothing that settling waits for is in flight. */
  isQuiet(): boolean {
    return this.#hasLoaded && this.#awaited.size === 0;
  }

  get quietForMs(): number {
    return performance.now() - this.#lastActivityMs;
  }

  /** Resolves with the next change of what settling waits for. */
  get nextActivity(): Promise<undefined> {
    return this.#activity.promise;
  }

  /** Aborted with a VisitFailure once the base page is too large to be loaded. */
  get excess(): AbortSignal {
    return this.#excess.signal;
  }

  get requests(): NetworkRequest[] {
    for (const [requestId, hops] of this.#chains) this.#headers?.complete(requestId, hops);
    return [...this.#chains.values()].flat().map(({ request }) => request);
  }

  /** The last hop of the page's last navigation, of those that led anywhere if any did. */
  get mainDocument(): NetworkRequest | null {
    const documents = this.requests.filter((request) => request.isMainDocument);
    return documents.findLast((request) => !hasLedNowhere(request)) ?? documents.at(-1) ?? null;
  }

  /** Who to ask for the body of a request. */
  sessionOf(requestId: string): CDPSession | null {
    return this.#sessionOf.get(requestId) ?? null;
  }

  forget(): void {
    this.#chains.clear();
    this.#sessionOf.clear();
    this.#awaited.clear();
    this.#settleRule = new SettleRule();
    this.#hasLoaded = false;
    this.#noteActivity();
  }

  observe(session: CDPSession): void {
    this.#headers?.observe(session);
    session.on('Network.requestWillBeSent', (event) => this.#begin(event, session));
    session.on('Network.requestServedFromCache', ({ requestId }) => {
      const record = this.#last(requestId);
      if (record) record.request.fromCache = true;
    });
    session.on('Network.responseReceived', ({ requestId, response, hasExtraInfo }) => {
      this.#sessionOf.set(requestId, session);
      const record = this.#last(requestId);
      if (!record) return;
      recordResponse(record, response, { cameToNetwork: hasExtraInfo, usedConnections: this.#usedConnections });
      this.#checkLength(
        record.request,
        Number(response.headers['content-length'] ?? response.headers['Content-Length'] ?? 0),
      );
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const record = this.#last(requestId);
      if (!record) return;
      record.request.decodedBytes = (record.request.decodedBytes ?? 0) + dataLength;
      this.#checkLength(record.request, record.request.decodedBytes);
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      this.#end(requestId, { timestamp, receivedBytes: encodedDataLength });
    });
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason }) => {
      this.#end(requestId, { timestamp, failure: blockedReason ? `${errorText} (${blockedReason})` : errorText });
    });
  }

  /** A frame or worker went away: no event will end what it had in flight. */
  abandon(sessionId: string, atEpochMs: number): void {
    for (const [requestId, session] of this.#sessionOf) {
      if (session.id() === sessionId) this.endUnreported(requestId, { atEpochMs, failure: goneAway });
    }
  }

  /** Requests of this address whose end was not reported yet. */
  findUnended(url: string): string[] {
    return [...this.#chains].flatMap(([requestId, hops]) =>
      hops[0]!.request.url === url && hops.at(-1)!.request.endEpochMs === null ? [requestId] : [],
    );
  }

  /** For a request whose end is known by other means. */
  endUnreported(requestId: string, { atEpochMs, failure }: { atEpochMs: number; failure?: string }): void {
    const record = this.#last(requestId);
    if (!record || record.request.endEpochMs !== null) return;
    this.#end(requestId, {
      timestamp: (atEpochMs - record.clockOffsetMs) / 1000,
      ...(failure !== undefined && { failure }),
    });
  }

  noteLoaded(): void {
    this.#hasLoaded = true;
    this.#noteActivity();
  }

  #begin(event: Protocol.Network.RequestWillBeSentEvent, session: CDPSession): void {
    if (!/^https?:/.test(event.request.url)) return;
    const chain = this.#chains.get(event.requestId) ?? [];
    const previous = chain.at(-1);
    if (previous && !event.redirectResponse) return; // reported again by the frame's own process
    if (previous && event.redirectResponse) {
      recordResponse(previous, event.redirectResponse, {
        cameToNetwork: event.redirectHasExtraInfo,
        usedConnections: this.#usedConnections,
      });
      recordEnd(previous, { timestamp: event.timestamp, receivedBytes: event.redirectResponse.encodedDataLength });
    }
    const record = beginRecord(event, { hop: chain.length, mainFrameId: this.#mainFrameId });
    this.#chains.set(event.requestId, [...chain, record]);
    this.#sessionOf.set(event.requestId, session);
    if (previous) return;

    const { type, url, isMainDocument } = record.request;
    // The page goes elsewhere: its next document has a load event of its own.
    if (isMainDocument) this.#hasLoaded = false;
    if (!this.#settleRule.delaysSettling({ type, url, hasLoaded: this.#hasLoaded })) return;
    this.#awaited.add(event.requestId);
    this.#noteActivity();
  }

  #end(requestId: string, end: { timestamp: number; receivedBytes?: number; failure?: string }): void {
    const record = this.#last(requestId);
    if (record) recordEnd(record, end);
    // The page stays where it was: it has loaded already.
    if (record?.request.isMainDocument && hasLedNowhere(record.request)) this.#hasLoaded = true;
    if (this.#awaited.delete(requestId)) this.#noteActivity();
  }

  #checkLength({ isMainDocument }: NetworkRequest, bytes: number): void {
    const failure = isMainDocument ? describeExcess(bytes) : null;
    if (failure) this.#excess.abort(new VisitFailure(failure.code, failure.detail));
  }

  #last(requestId: string): RequestRecord | undefined {
    return this.#chains.get(requestId)?.at(-1);
  }

  #noteActivity(): void {
    this.#lastActivityMs = performance.now();
    this.#activity.resolve(undefined);
    this.#activity = Promise.withResolvers();
  }
}

/** A navigation that gave no page: a download, no content, or another navigation came first. */
function hasLedNowhere({ failure }: NetworkRequest): boolean {
  return failure === 'net::ERR_ABORTED';
}
