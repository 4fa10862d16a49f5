import { redactHeaders } from '#core/har/redact-headers.ts';
import type { RequestEnd } from '#core/agent/page-activity/activity-event.ts';
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
export function describeResponse(
  { exchange }: NetworkRequest,
  { request, response }: ResponseEvent,
): Partial<NetworkRequest> {
  return {
    status: response.status,
    protocol: response.protocol,
    fromCache: response.fromCache,
    ...(exchange && {
      exchange: {
        ...exchange,
        statusText: response.statusText.slice(0, 1024),
        mimeType: response.mimeType.slice(0, 256),
        ...(exchange.headers && {
          headers: { request: listHeaders(request.headers), response: listHeaders(response.headers) },
        }),
        ...(!response.fromCache && { phases: readPhases(request.timings) }),
      },
    }),
    ...(!response.fromCache && {
      sentEpochMs: request.timings.requestStart || null,
      responseEpochMs: request.timings.responseStart || null,
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
export function describeEnd(record: NetworkRequest, event: ResponseEvent): RequestEnd {
  const { request, response, timestamp } = event;
  const isDecodedAsReceived = !response.headers.has('content-encoding') || response.bodySize === 0;
  return {
    atEpochMs: request.timings.responseEnd || timestamp,
    by: 'network',
    failure: null,
    receivedBytes: response.fromCache ? 0 : response.bytesReceived,
    fields: {
      ...describeResponse(record, event),
      decodedBytes: isDecodedAsReceived && !response.fromCache ? response.bodySize : null,
    },
  };
}

export function describeFailure(
  { responseEpochMs }: NetworkRequest,
  { request, errorText, timestamp }: ErrorEvent,
): RequestEnd {
  return {
    atEpochMs: request.timings.responseEnd || timestamp,
    by: 'network',
    failure: errorText,
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
