import type { Protocol } from 'puppeteer-core';
import { beginRequest } from '#core/metrics/begin-request.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import { requestTypeOf } from './request-types.ts';

/** What a Snapshot takes: a page names its methods as it likes. */
const maximumMethod = 64;

/** One request while it is being recorded. */
export interface RequestRecord {
  readonly request: NetworkRequest;
  /** Wall clock minus the browser's monotonic clock, when the request began. */
  readonly clockOffsetMs: number;
  /** As the browser would send them and took them, which is not what went over the network: see `HeaderRecorder`. */
  readonly headers: { readonly request: Protocol.Network.Headers; response: Protocol.Network.Headers };
  /** Whether the browser reports, apart from this, what went over the network; null until the response has come. */
  cameToNetwork: boolean | null;
}

export function beginRecord(
  event: Protocol.Network.RequestWillBeSentEvent,
  place: { hop: number; mainFrameId: string },
): RequestRecord {
  const type = requestTypeOf(event);
  return {
    clockOffsetMs: (event.wallTime - event.timestamp) * 1000,
    headers: { request: event.request.headers, response: {} },
    cameToNetwork: null,
    request: beginRequest({
      id: event.requestId,
      hop: place.hop,
      url: event.request.url,
      type,
      isMainDocument: type === 'document' && event.frameId === place.mainFrameId,
      isRenderBlocking: event.renderBlockingBehavior ? event.renderBlockingBehavior === 'Blocking' : null,
      initiatorUrl: readInitiatorUrl(event.initiator) ?? null,
      startEpochMs: event.wallTime * 1000,
      exchange: {
        method: event.request.method.slice(0, maximumMethod),
        statusText: null,
        mimeType: null,
        serverAddress: null,
        phases: { dns: null, connect: null, tls: null, send: null },
        headers: null,
      },
    }),
  };
}

export interface ResponsePlace {
  /** Whether the browser reports, apart from this, what went over the network. */
  cameToNetwork: boolean;
  /** Connections that have brought an answer to this page or an earlier one of its context; the connection of this one is added. */
  usedConnections: Set<string>;
}

export function recordResponse(
  record: RequestRecord,
  response: Protocol.Network.Response,
  { cameToNetwork, usedConnections }: ResponsePlace,
): void {
  const { request, clockOffsetMs } = record;
  const { timing } = response;
  const toEpochMs = (sinceRequestMs: number) => timing!.requestTime * 1000 + sinceRequestMs + clockOffsetMs;
  record.headers.response = response.headers;
  record.cameToNetwork = cameToNetwork;
  request.fromCache ||= (response.fromDiskCache ?? false) || (response.fromPrefetchCache ?? false);
  request.status = response.status;
  request.protocol = response.protocol ?? null;
  request.connectionId = response.connectionId && !request.fromCache ? String(response.connectionId) : null;
  if (request.connectionId !== null) {
    // Not Chrome's own `connectionReused`, which is true of a connection that was opened ahead for this request.
    request.isConnectionReused = usedConnections.has(request.connectionId);
    usedConnections.add(request.connectionId);
  }
  const { exchange } = request;
  if (exchange) {
    exchange.statusText = response.statusText.slice(0, 1024);
    exchange.mimeType = response.mimeType.slice(0, 256);
    // An IPv6 address comes in brackets.
    exchange.serverAddress = response.remoteIPAddress?.replace(/^\[|\]$/g, '') || null;
  }
  // −1 stands for a phase that did not take place.
  const toPhase = (start: number, end: number): [number, number] | null =>
    start >= 0 && end >= start && !request.fromCache ? [toEpochMs(start), toEpochMs(end)] : null;
  if (timing && exchange) {
    exchange.phases = {
      dns: toPhase(timing.dnsStart, timing.dnsEnd),
      connect: toPhase(timing.connectStart, timing.connectEnd),
      tls: toPhase(timing.sslStart, timing.sslEnd),
      send: toPhase(timing.sendStart, timing.sendEnd),
    };
  }
  if (timing && timing.sendStart >= 0 && !request.fromCache) request.sentEpochMs = toEpochMs(timing.sendStart);
  if (timing && timing.receiveHeadersEnd >= 0) request.responseEpochMs = toEpochMs(timing.receiveHeadersEnd);
}

export function recordEnd(
  { request, clockOffsetMs }: RequestRecord,
  end: { timestamp: number; receivedBytes?: number; failure?: string },
): void {
  request.endEpochMs = end.timestamp * 1000 + clockOffsetMs;
  request.receivedBytes = end.receivedBytes ?? request.receivedBytes;
  request.failure = end.failure ?? null;
  if (request.failure === null) request.decodedBytes ??= 0;
}

function readInitiatorUrl({ url, stack }: Protocol.Network.Initiator): string | undefined {
  for (let trace = stack; trace; trace = trace.parent) {
    const frame = trace.callFrames.find((candidate) => candidate.url !== '');
    if (frame) return frame.url;
  }
  return url;
}
