import type { CDPSession, Protocol } from 'puppeteer-core';
import { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { describeExcess } from '#core/metrics/read-document-failure.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import { HeaderRecorder } from './header-recorder.ts';
import { HintRecorder } from './hint-recorder.ts';
import {
  beginRecord,
  describeFailure,
  describeResponse,
  readExpectedBytes,
  type RequestRecord,
} from './request-record.ts';

/**
 * Translates the network events of one page, of all its frames and workers. A frame's document may begin in the process of its parent and end in its own, and a worker's script in the page and end
 * in the worker: a request is known by its id, in both.
 */
export class NetworkRecorder extends ActivityRecorder {
  readonly #mainFrameId: string;
  readonly #headers: HeaderRecorder | null;
  readonly hints = new HintRecorder();
  readonly #usedConnections: Set<string>;
  /** By id: one for each hop. */
  readonly #records = new Map<string, RequestRecord[]>();
  readonly #sessionOf = new Map<string, CDPSession>();
  readonly #excess = new AbortController();

  constructor(
    mainFrameId: string,
    { recordsHeaders = false, usedConnections }: { recordsHeaders?: boolean | undefined; usedConnections: Set<string> },
  ) {
    super(mainFrameId, () => performance.now());
    this.#mainFrameId = mainFrameId;
    this.#usedConnections = usedConnections;
    this.#headers = recordsHeaders ? new HeaderRecorder() : null;
  }

  /** Aborted with a VisitFailure once the base page is too large to be loaded. */
  get excess(): AbortSignal {
    return this.#excess.signal;
  }

  override get requests(): NetworkRequest[] {
    for (const [requestId, hops] of this.#records) this.#headers?.complete(requestId, hops);
    return super.requests;
  }

  /** Who to ask for the body of a request. */
  sessionOf(requestId: string): CDPSession | null {
    return this.#sessionOf.get(requestId) ?? null;
  }

  override forget(): void {
    this.#records.clear();
    this.#sessionOf.clear();
    this.hints.forget();
    super.forget();
  }

  observe(session: CDPSession): void {
    this.#headers?.observe(session);
    this.hints.observe(session);
    session.on('Network.requestWillBeSent', (event) => this.#begin(event, session));
    session.on('Network.requestServedFromCache', ({ requestId: id }) =>
      this.apply({ kind: 'request-explained', id, fields: { fromCache: true } }),
    );
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
      // All that is known of an answer that the browser withholds from the page.
      const request = this.find(requestId);
      const isFinal = statusCode >= 200 && !(statusCode >= 300 && statusCode < 400);
      if (isFinal && request?.status === null && request.endEpochMs === null)
        this.apply({ kind: 'answer-came', id: requestId, fields: { status: statusCode } });
    });
    session.on('Network.responseReceived', ({ requestId, response, hasExtraInfo }) => {
      this.#sessionOf.set(requestId, session);
      this.#noteResponse(requestId, response, { cameToNetwork: hasExtraInfo, targetId: session.id() });
    });
    session.on('Network.dataReceived', ({ requestId, timestamp, dataLength, encodedDataLength }) => {
      const record = this.#last(requestId);
      if (!record) return;
      this.apply({
        kind: 'data-came',
        id: requestId,
        atEpochMs: timestamp * 1000 + record.clockOffsetMs,
        encodedBytes: encodedDataLength,
        decodedBytes: dataLength,
      });
      this.#checkLength(record.request, record.request.decodedBytes ?? 0);
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      this.#end(requestId, { timestamp, receivedBytes: encodedDataLength });
    });
    session.on('Network.loadingFailed', (event) => {
      this.#end(event.requestId, { timestamp: event.timestamp, failure: describeFailure(event) });
    });
  }

  /** Requests of this address whose end was not reported yet. */
  findUnended(url: string): string[] {
    return [...this.#records].flatMap(([requestId, hops]) =>
      hops[0]!.request.url === url && hops.at(-1)!.request.endEpochMs === null ? [requestId] : [],
    );
  }

  #begin(event: Protocol.Network.RequestWillBeSentEvent, session: CDPSession): void {
    const { requestId, redirectResponse, frameId, loaderId } = event;
    if (!/^https?:/.test(event.request.url)) return;
    const known = this.#records.get(requestId) ?? [];
    const previous = known.at(-1);
    if (previous && !redirectResponse) return; // reported again by the frame's own process
    if (previous && redirectResponse) {
      this.#noteResponse(requestId, redirectResponse, { cameToNetwork: event.redirectHasExtraInfo });
      this.#end(requestId, { timestamp: event.timestamp, receivedBytes: redirectResponse.encodedDataLength });
    }
    const record = beginRecord(event, { hop: known.length, mainFrameId: this.#mainFrameId });
    this.#records.set(requestId, [...known, record]);
    this.#sessionOf.set(requestId, session);
    this.apply({
      kind: 'request-began',
      request: record.request,
      place: {
        frameId: frameId ?? null,
        documentId: loaderId || null,
        targetId: session.id(),
        mayStayUnread: event.type === 'Fetch',
      },
    });
  }

  #noteResponse(
    requestId: string,
    response: Protocol.Network.Response,
    { cameToNetwork, targetId }: { cameToNetwork: boolean; targetId?: string },
  ): void {
    const record = this.#last(requestId);
    if (!record) return;
    record.headers.response = response.headers;
    record.cameToNetwork = cameToNetwork;
    const expectedBytes = readExpectedBytes(response);
    this.apply({
      kind: 'answer-came',
      id: requestId,
      fields: describeResponse(record, response, this.#usedConnections),
      expectedBytes,
      headBytes: response.encodedDataLength,
      ...(targetId !== undefined && { targetId }),
    });
    this.#checkLength(record.request, expectedBytes ?? 0);
  }

  #end(
    requestId: string,
    { timestamp, receivedBytes, failure }: { timestamp: number; receivedBytes?: number; failure?: string },
  ): void {
    const record = this.#last(requestId);
    if (!record) return;
    const { decodedBytes } = record.request;
    this.apply({
      kind: 'request-ended',
      id: requestId,
      end: {
        atEpochMs: timestamp * 1000 + record.clockOffsetMs,
        by: 'network',
        failure: failure ?? null,
        ...(receivedBytes !== undefined && { receivedBytes }),
        ...(failure === undefined && { fields: { decodedBytes: decodedBytes ?? 0 } }),
      },
    });
  }

  #checkLength({ isMainDocument }: NetworkRequest, bytes: number): void {
    const failure = isMainDocument ? describeExcess(bytes) : null;
    if (failure) this.#excess.abort(new VisitFailure(failure.code, failure.detail));
  }

  #last(requestId: string): RequestRecord | undefined {
    return this.#records.get(requestId)?.at(-1);
  }
}
