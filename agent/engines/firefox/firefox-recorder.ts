import { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { describeExcess } from '#core/metrics/page-failure.ts';
import type { NetworkRequest, Exchange, Header } from '#core/metrics/network-request.ts';
import type { PageRecorder } from '../browser/browser-page.ts';
import type { ErrorEvent, RequestEvent, ResponseEvent } from './network-events.ts';
import { redactHeaders } from '#core/har/redact-headers.ts';
import { ledOutside, type RequestEnd } from '#core/agent/page-activity/activity-event.ts';
import { beginRequest, notSent } from '#core/metrics/request-outcome.ts';
import { readServerTiming } from '#core/metrics/server-timing.ts';

/** https://fetch.spec.whatwg.org/#concept-request-destination */
const byDestination = new Map<string, NetworkRequest['type']>(
  Object.entries({
    document: 'document',
    iframe: 'document',
    frame: 'document',
    object: 'document',
    embed: 'document',
    style: 'style-sheet',
    script: 'script',
    worker: 'script',
    sharedworker: 'script',
    serviceworker: 'script',
    audioworklet: 'script',
    paintworklet: 'script',
    image: 'image',
    font: 'font',
    audio: 'media',
    video: 'media',
    // As of a film.
    track: 'media',
    manifest: 'manifest',
    report: 'ping',
  } as const),
);

/**
 * Firefox asks whether a picture that an earlier document showed is still right, as on a page that reloads itself, or the next of a journey. It names no element for it, as for an icon. Within one
 * document, it does not ask.
 */
class ShownPictures {
  #documentCount = 0;
  /** By address: the document that showed it last. */
  readonly #lastShown = new Map<string, number>();

  /** Of each request as it begins: calls that for what an earlier document showed no icon. */
  note(request: NetworkRequest): void {
    const { isMainDocument, hop, url } = request;
    if (isMainDocument && hop === 0) this.#documentCount++;
    if (request.type === 'icon' && this.#isOfEarlierDocument(url)) request.type = 'image';
    if (request.type === 'image') this.#lastShown.set(url, this.#documentCount);
  }

  #isOfEarlierDocument(url: string): boolean {
    const shown = this.#lastShown.get(url);
    return shown !== undefined && shown < this.#documentCount;
  }
}

/** Translates the network events of one page, of all its frames and workers. */
export class NetworkRecorder extends ActivityRecorder implements PageRecorder {
  readonly #place: { mainContextId: string; recordsHeaders: boolean };
  readonly #excess = new AbortController();
  readonly #pictures = new ShownPictures();

  constructor(place: { mainContextId: string; recordsHeaders: boolean }) {
    super(place.mainContextId, () => performance.now());
    this.#place = place;
  }

  get excess(): AbortSignal {
    return this.#excess.signal;
  }

  noteRequest(event: RequestEvent): void {
    if (!/^https?:/.test(event.request.url)) return;
    const request = beginRecord(event, this.#place);
    this.#pictures.note(request);
    this.apply({
      kind: 'request-began',
      request,
      place: { frameId: event.context, documentUrl: readDocumentUrl(event) },
    });
  }

  noteResponse(event: ResponseEvent): void {
    const record = this.#recordOf(event);
    if (!record) return;
    const { id, hop } = record;
    const length = event.response.headers.get('content-length');
    this.apply({ kind: 'answer-came', id, hop, fields: describeResponse(record, event) });
    this.#checkLength(record, Number(length ?? 0));
  }

  noteEnd(event: ResponseEvent): void {
    const record = this.#recordOf(event);
    if (!record) return;
    const { id, hop } = record;
    this.apply({ kind: 'request-ended', id, hop, end: describeEnd(record, event) });
    this.#checkLength(record, event.response.bodySize ?? 0);
    if (this.#isReportedAgain(record)) this.apply({ kind: 'request-withdrawn', id, hop });
  }

  noteFailure(event: ErrorEvent): void {
    const record = this.#recordOf(event);
    if (!record) return;
    const { id, hop } = record;
    this.apply({ kind: 'request-ended', id, hop, end: describeFailure(record, event) });
  }

  /** A page of the browser's own, as one about an error, has no load event. */
  noteDocument({ context: frameId, url, timestamp }: { context: string; url: string; timestamp: number }): void {
    const isRestored = /^about:(?!blank|srcdoc)/.test(url);
    this.apply({ kind: 'document-came', frameId, documentId: null, url, atEpochMs: timestamp, isRestored });
  }

  /** The browser reports of a file what it reports of any other answer, and then this. */
  noteFile({ url, timestamp }: { url: string; timestamp: number }): void {
    this.apply({ kind: 'file-given', url, atEpochMs: timestamp });
  }

  /** What a second element takes from memory is reported once more, but is the same object. */
  #isReportedAgain({ fromCache, url, id }: NetworkRequest): boolean {
    return fromCache && this.requests.some((other) => other.url === url && other.id !== id);
  }

  #checkLength({ isMainDocument }: NetworkRequest, bytes: number): void {
    const failure = isMainDocument ? describeExcess(bytes) : null;
    if (failure) this.#excess.abort(new VisitFailure(failure.code, failure.detail));
  }

  #recordOf({ request, redirectCount }: Pick<RequestEvent, 'request' | 'redirectCount'>): NetworkRequest | null {
    return this.find(request.request, redirectCount);
  }
}

/** The document that asks is the referrer, unless that goes to another origin: then it is cut down to its own. https://www.w3.org/TR/referrer-policy/#default-referrer-policy */
function readDocumentUrl({ request }: RequestEvent): string | null {
  const referrer = request.headers.get('referer');
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  return new URL(referrer).origin === new URL(request.url).origin ? referrer : null;
}

function beginRecord(
  event: RequestEvent,
  { mainContextId, recordsHeaders }: { mainContextId: string; recordsHeaders: boolean },
): NetworkRequest {
  const { request, redirectCount, context } = event;
  const type = requestTypeOf(event);
  // Firefox reports no connections.
  return beginRequest({
    id: request.request,
    hop: redirectCount,
    url: request.url,
    type,
    isMainDocument: type === 'document' && request.destination === 'document' && context === mainContextId,
    initiatorUrl: readStyleSheetUrl(event),
    // 0 of a request that was cancelled before it was opened.
    startEpochMs: request.timings.requestTime || event.timestamp,
    exchange: {
      method: request.method.slice(0, 64),
      statusText: null,
      mimeType: null,
      // Firefox reports none.
      serverAddress: null,
      phases: { dns: null, connect: null, tls: null, send: null },
      headers: recordsHeaders ? { request: listHeaders(request.headers), response: [] } : null,
    },
  });
}

/** Once the headers of an answer are there. */
function describeResponse({ exchange }: NetworkRequest, { request, response }: ResponseEvent): Partial<NetworkRequest> {
  const serverMs = readServerTiming(response.headers.get('server-timing'));
  return {
    status: response.status,
    protocol: response.protocol,
    fromCache: response.fromCache,
    ...(exchange && {
      exchange: {
        ...exchange,
        statusText: response.statusText.slice(0, 1024),
        mimeType: response.mimeType.slice(0, 256),
        sentBytes: response.fromCache
          ? { head: 0, body: 0 }
          : { head: request.headersSize ?? null, body: request.bodySize ?? null },
        ...(exchange.headers && {
          headers: { request: listHeaders(request.headers), response: listHeaders(response.headers) },
        }),
        ...(!response.fromCache && { phases: readPhases(request.timings) }),
      },
    }),
    ...(!response.fromCache && {
      sentEpochMs: request.timings.requestStart || null,
      responseEpochMs: request.timings.responseStart || null,
      ...(serverMs !== null && { serverMs }),
    }),
  };
}

/** 0 stands for what did not take place, and a connection that was there has a phase without a length. */
function readPhases({
  dnsStart,
  dnsEnd,
  connectStart,
  tlsStart,
  connectEnd,
}: ResponseEvent['request']['timings']): Exchange['phases'] {
  const toPhase = (start: number, end: number): [number, number] | null =>
    start > 0 && end > start ? [start, end] : null;
  return {
    dns: toPhase(dnsStart, dnsEnd),
    connect: toPhase(connectStart, connectEnd),
    tls: toPhase(tlsStart, connectEnd),
    send: null,
  };
}

function listHeaders(headers: ReadonlyMap<string, string>): Header[] {
  return redactHeaders(Array.from(headers, ([name, value]) => ({ name, value })));
}

/** Once the whole answer is there. */
function describeEnd(record: NetworkRequest, event: ResponseEvent): RequestEnd {
  const { request, response, timestamp } = event;
  const isDecodedAsReceived = !response.headers.has('content-encoding') || response.bodySize === 0;
  return {
    atEpochMs: request.timings.responseEnd || timestamp,
    by: 'network',
    failure: record.isMainDocument && leadsOutside(event) ? ledOutside : null,
    receivedBytes: response.fromCache ? 0 : response.bytesReceived,
    fields: {
      ...describeResponse(record, event),
      decodedBytes: isDecodedAsReceived && !response.fromCache ? response.bodySize : null,
      ...(response.bodySize !== null && { receivedBodyBytes: response.fromCache ? 0 : response.bodySize }),
    },
  };
}

/** Whether it is a redirect to what is not fetched over the network: no hop follows. */
function leadsOutside({ request, response: { status, headers } }: ResponseEvent): boolean {
  const location = headers.get('location');
  if (location === undefined || status < 300 || status >= 400 || !URL.canParse(location, request.url)) return false;
  return !/^https?:$/.test(new URL(location, request.url).protocol);
}

function describeFailure(
  { responseEpochMs, type, isMainDocument, status }: NetworkRequest,
  { request, errorText, timestamp }: ErrorEvent,
): RequestEnd {
  const isFrameForbidden =
    type === 'document' &&
    !isMainDocument &&
    status === null &&
    request.timings.requestStart === 0 &&
    errorText === 'NS_BINDING_ABORTED';
  return {
    atEpochMs: request.timings.responseEnd || timestamp,
    by: 'network',
    failure: isFrameForbidden ? `${errorText} ${notSent}` : errorText,
    fields: {
      sentEpochMs: request.timings.requestStart || null,
      responseEpochMs: responseEpochMs ?? (request.timings.responseStart || null),
    },
  };
}

/** What a style sheet fetches names the sheet as its referrer, where that is not cut down to its origin. https://www.w3.org/TR/referrer-policy/#integration-with-css */
function readStyleSheetUrl({ request }: RequestEvent): string | null {
  const referrer = request.headers.get('referer');
  const isByStyleSheet = request.initiatorType === 'css' || request.destination === 'font';
  return isByStyleSheet && referrer !== undefined && URL.canParse(referrer) && new URL(referrer).pathname !== '/'
    ? referrer
    : null;
}

function requestTypeOf({ request, initiator }: RequestEvent): NetworkRequest['type'] {
  const { destination, initiatorType, headers } = request;
  // Firefox does not always say so itself; no script may set this header. https://fetch.spec.whatwg.org/#cors-preflight-fetch
  if (initiator?.type === 'preflight' || headers.has('access-control-request-method')) return 'preflight';
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
  if (headers.get('sec-purpose')?.startsWith('prefetch')) return 'prefetch';
  // The browser's own wish, named by no element of the page: its icon. A picture from the cache in memory has no headers either, and one of an early hint (103) says so. What a picture is drawn
  // with, as by `use` or `filter`, may be of any type.
  const isNamed = initiatorType !== null || headers.get('x-moz') === 'early hint' || headers.get('accept') === '*/*';
  if (destination === 'image' && !isNamed && headers.size > 0) return 'icon';
  if (headers.has('sec-websocket-key')) return 'web-socket';
  if (headers.get('accept') === 'text/event-stream') return 'event-source';
  // Firefox gives neither `sendBeacon` nor `<a ping>` an initiator, and nothing else sends a body so.
  const isPing = initiatorType === null && destination === '' && request.method === 'POST';
  if (initiatorType === 'beacon' || isPing) return 'ping';
  if (initiatorType === 'fetch' || initiatorType === 'xmlhttprequest') return 'fetch';
  return byDestination.get(destination) ?? 'other';
}
