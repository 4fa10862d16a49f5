import { redactHeaders } from '#core/har/redact-headers.ts';
import { beginRequest } from '#core/metrics/begin-request.ts';
import type { Exchange, Header, NetworkRequest } from '#core/metrics/snapshot.ts';
import type { ErrorEvent, RequestEvent, ResponseEvent } from './network-events.ts';
import { requestTypeOf } from './request-types.ts';

export function beginRecord(
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
    startEpochMs: request.timings.requestTime,
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
export function recordResponse(record: NetworkRequest, { request, response }: ResponseEvent): void {
  record.status = response.status;
  record.protocol = response.protocol;
  record.fromCache = response.fromCache;
  if (record.exchange) {
    record.exchange.statusText = response.statusText.slice(0, 1024);
    record.exchange.mimeType = response.mimeType.slice(0, 256);
    if (record.exchange.headers)
      record.exchange.headers = { request: listHeaders(request.headers), response: listHeaders(response.headers) };
  }
  if (response.fromCache) return;
  if (record.exchange) record.exchange.phases = readPhases(request.timings);
  record.sentEpochMs = request.timings.requestStart || null;
  record.responseEpochMs = request.timings.responseStart || null;
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
export function recordEnd(record: NetworkRequest, event: ResponseEvent): void {
  const { request, response, timestamp } = event;
  recordResponse(record, event);
  record.endEpochMs = request.timings.responseEnd || timestamp;
  record.receivedBytes = response.fromCache ? 0 : response.bytesReceived;
  const isDecodedAsReceived = !response.headers.has('content-encoding') || response.bodySize === 0;
  record.decodedBytes = isDecodedAsReceived && !response.fromCache ? response.bodySize : null;
}

export function recordFailure(record: NetworkRequest, { request, errorText, timestamp }: ErrorEvent): void {
  record.sentEpochMs = request.timings.requestStart || null;
  record.responseEpochMs ??= request.timings.responseStart || null;
  record.endEpochMs = request.timings.responseEnd || timestamp;
  record.failure = errorText;
}

/** What a style sheet fetches names the sheet as its referrer, where that is not cut down to its origin. https://www.w3.org/TR/referrer-policy/#integration-with-css */
function readStyleSheetUrl({ request }: RequestEvent): string | null {
  const referrer = request.headers.get('referer');
  const isByStyleSheet = request.initiatorType === 'css' || request.destination === 'font';
  return isByStyleSheet && referrer !== undefined && URL.canParse(referrer) && new URL(referrer).pathname !== '/'
    ? referrer
    : null;
}
