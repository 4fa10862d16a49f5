import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import type { ErrorEvent, RequestEvent, ResponseEvent } from './network-events.ts';
import { requestTypeOf } from './request-types.ts';

export function beginRecord(event: RequestEvent, { mainContextId }: { mainContextId: string }): NetworkRequest {
  const { request, redirectCount, context } = event;
  const type = requestTypeOf(event);
  return {
    id: request.request,
    hop: redirectCount,
    url: request.url.slice(0, 65_536),
    type,
    isMainDocument: type === 'document' && request.destination === 'document' && context === mainContextId,
    isRenderBlocking: null,
    initiatorUrl: readStyleSheetUrl(event),
    startEpochMs: request.timings.requestTime,
    sentEpochMs: null,
    responseEpochMs: null,
    endEpochMs: null,
    failure: null,
    status: null,
    protocol: null,
    // Firefox tells of no connections.
    connectionId: null,
    fromCache: false,
    receivedBytes: null,
    decodedBytes: null,
  };
}

/** Once the headers of an answer are there. */
export function recordResponse(record: NetworkRequest, { request, response }: ResponseEvent): void {
  record.status = response.status;
  record.protocol = response.protocol;
  record.fromCache = response.fromCache;
  if (response.fromCache) return;
  record.sentEpochMs = request.timings.requestStart || null;
  record.responseEpochMs = request.timings.responseStart || null;
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
  return isByStyleSheet && referrer !== undefined && URL.canParse(referrer) && new URL(referrer).pathname !== '/' ? referrer : null;
}
