import type { CDPSession, Protocol } from 'puppeteer-core';
import { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { describeExcess } from '#core/metrics/page-failure.ts';
import type { NetworkRequest, Header } from '#core/metrics/network-request.ts';
import {
  beginRecord,
  describeFailure,
  describeResponse,
  readExpectedBytes,
  type RequestRecord,
} from './request-record.ts';
import { redactHeaders } from '#core/har/redact-headers.ts';

/**
 * Records headers as they went over the network. The browser reports them apart from the requests, before or after these, and only of hops that came to the network: those of one request in order. Of the others it reports what it would have sent and was answered from its cache.
 */
class HeaderRecorder {
  readonly #sent = new Map<string, Headers[]>();
  readonly #received = new Map<string, Headers[]>();

  observe(session: CDPSession): void {
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) =>
      append(this.#sent, requestId, headers),
    );
    session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) =>
      append(this.#received, requestId, headers),
    );
  }

  /** Writes what is known by now into the records of one request's hops. */
  complete(requestId: string, hops: readonly RequestRecord[]): void {
    const sent = [...(this.#sent.get(requestId) ?? [])];
    const received = [...(this.#received.get(requestId) ?? [])];
    hops.forEach(({ request, headers, cameToNetwork }, index) => {
      // Of the last hop it may not be known yet, or never, where it failed.
      const isOnNetwork = cameToNetwork ?? index === hops.length - 1;
      const own = {
        sent: isOnNetwork ? sent.shift() : undefined,
        received: isOnNetwork ? received.shift() : undefined,
      };
      request.exchange!.headers = {
        request: redactHeaders(list(own.sent ?? headers.request)),
        response: redactHeaders(list(own.received ?? headers.response)),
      };
    });
  }
}

/** Addresses that one early hint may name. */
const mostHints = 100;

/**
 * What early hints (103) named for the browser to fetch ahead. Chrome reports neither a request nor an entry of such an object before the page uses it: only the hint shows one that it
 * never uses.
 */
class HintRecorder {
  readonly #urls = new Set<string>();
  readonly #pageUrls = new Map<string, string>();

  get urls(): readonly string[] {
    return [...this.#urls];
  }

  forget(): void {
    this.#urls.clear();
    this.#pageUrls.clear();
  }

  observe(session: CDPSession): void {
    session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (type === 'Document') this.#pageUrls.set(requestId, request.url);
    });
    session.on('Network.responseReceivedEarlyHints', ({ requestId, headers }) => {
      const pageUrl = this.#pageUrls.get(requestId);
      const link = Object.entries(headers).find(([name]) => name.toLowerCase() === 'link')?.[1];
      if (pageUrl === undefined || link === undefined) return;
      for (const url of readPreloads(link, pageUrl)) if (this.#urls.size < mostHints) this.#urls.add(url);
    });
  }
}

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
  /** By id: of all answers that came over the network. */
  readonly #statuses = new Map<string, number[]>();
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
    this.#statuses.clear();
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
      // All that is known of an answer that the browser withholds from the page, or of a redirect that it does not follow.
      if (statusCode >= 200) this.#statuses.set(requestId, [...(this.#statuses.get(requestId) ?? []), statusCode]);
      const request = this.find(requestId);
      // What has a cached answer becomes 200.
      const isFinal = statusCode >= 200 && (statusCode === 304 || !(statusCode >= 300 && statusCode < 400));
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
      this.#noteUnfollowed(event);
      this.#end(event.requestId, { timestamp: event.timestamp, failure: describeFailure(event) });
    });
  }

  /** Wall clock minus the browser's monotonic clock, when the page's first request began; null before one did. */
  get clockOffsetMs(): number | null {
    const [first] = this.#records.values();
    return first?.[0]?.clockOffsetMs ?? null;
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

  /** A hop that follows would have this as the answer of the one before. The page's policy does not let it follow, or its script; or the page is led to another program. */
  #noteUnfollowed({ requestId: id, errorText, blockedReason }: Protocol.Network.LoadingFailedEvent): void {
    const statuses = this.#statuses.get(id) ?? [];
    const status = statuses.at(-1);
    const request = this.find(id);
    const isGivenUp = errorText === 'net::ERR_ABORTED' && request?.isMainDocument === true;
    const isRefused = isGivenUp || blockedReason === 'csp' || errorText === 'net::ERR_FAILED';
    if (!isRefused || status === undefined || status < 300 || status >= 400 || request?.status !== null) return;
    // Each hop before has had its own.
    if (statuses.length === this.#records.get(id)?.length) this.apply({ kind: 'answer-came', id, fields: { status } });
  }

  #checkLength({ isMainDocument }: NetworkRequest, bytes: number): void {
    const failure = isMainDocument ? describeExcess(bytes) : null;
    if (failure) this.#excess.abort(new VisitFailure(failure.code, failure.detail));
  }

  #last(requestId: string): RequestRecord | undefined {
    return this.#records.get(requestId)?.at(-1);
  }
}

/** The addresses that a Link header has preloaded, as of a script module. https://www.rfc-editor.org/rfc/rfc8288#section-3 */
function readPreloads(header: string, pageUrl: string): string[] {
  return header
    .split('<')
    .slice(1)
    .flatMap((link) => {
      const [reference = '', parameters = ''] = link.split('>', 2);
      const relation = parameters.split(';').find((parameter) => /^\s*rel\s*=/i.test(parameter));
      const isPreload = relation !== undefined && /\b(?:module)?preload\b/i.test(relation);
      return isPreload && URL.canParse(reference, pageUrl) ? [new URL(reference, pageUrl).href] : [];
    });
}

type Headers = Protocol.Network.Headers;

function append(lists: Map<string, Headers[]>, requestId: string, headers: Headers): void {
  lists.set(requestId, [...(lists.get(requestId) ?? []), headers]);
}

/** The browser joins headers of one name by a line break. */
function list(headers: Headers): Header[] {
  return Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
}
