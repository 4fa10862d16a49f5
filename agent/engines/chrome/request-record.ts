import type { Protocol } from 'puppeteer-core';
import { beginRequest } from '#core/metrics/request-outcome.ts';
import { readServerTiming } from '#core/metrics/server-timing.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';

const types: Record<Protocol.Network.ResourceType, NetworkRequest['type']> = {
  Document: 'document',
  Stylesheet: 'style-sheet',
  Image: 'image',
  Media: 'media',
  Font: 'font',
  Script: 'script',
  TextTrack: 'media',
  XHR: 'fetch',
  Fetch: 'fetch',
  Prefetch: 'prefetch',
  EventSource: 'event-source',
  WebSocket: 'web-socket',
  Manifest: 'manifest',
  SignedExchange: 'other',
  Ping: 'ping',
  CSPViolationReport: 'ping',
  Preflight: 'preflight',
  FedCM: 'fetch',
  Other: 'other',
};

/** In its body, a script or style sheet holds up the rest of the page. */
const holdingUp: ReadonlySet<Protocol.Network.RenderBlockingBehavior> = new Set(['Blocking', 'InBodyParserBlocking']);

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
      isRenderBlocking: event.renderBlockingBehavior ? holdingUp.has(event.renderBlockingBehavior) : null,
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

/** What the head of an answer says of its hop. Connections that have brought an answer to this page or an earlier one of its context are in `usedConnections`; that of this one is added. */
export function describeResponse(
  { request, clockOffsetMs }: RequestRecord,
  response: Protocol.Network.Response,
  usedConnections: Set<string>,
): Partial<NetworkRequest> {
  const { timing } = response;
  const toEpochMs = (sinceRequestMs: number) => timing!.requestTime * 1000 + sinceRequestMs + clockOffsetMs;
  const fromCache = request.fromCache || (response.fromDiskCache ?? false) || (response.fromPrefetchCache ?? false);
  const connectionId = response.connectionId && !fromCache ? String(response.connectionId) : null;
  // Not Chrome's own `connectionReused`, which is true of a connection that was opened ahead for this request.
  const isConnectionReused = connectionId === null ? null : usedConnections.has(connectionId);
  if (connectionId !== null) usedConnections.add(connectionId);
  // Chrome itself redirects to TLS where a host had asked for that (HSTS): nothing is sent.
  const isOwnAnswer = findHeader(response, 'non-authoritative-reason') !== undefined;
  // −1 stands for a phase that did not take place.
  const toPhase = (start: number, end: number): [number, number] | null =>
    start >= 0 && end >= start && !fromCache && !isOwnAnswer ? [toEpochMs(start), toEpochMs(end)] : null;
  const serverMs = fromCache ? null : readServerTiming(findHeader(response, 'server-timing'));
  return {
    fromCache,
    status: response.status,
    protocol: response.protocol ?? null,
    connectionId,
    ...(isConnectionReused !== null && { isConnectionReused }),
    ...(request.exchange && {
      exchange: {
        ...request.exchange,
        statusText: response.statusText.slice(0, 1024),
        mimeType: response.mimeType.slice(0, 256),
        // An IPv6 address comes in brackets.
        serverAddress: response.remoteIPAddress?.replace(/^\[|\]$/g, '') || null,
        ...(timing && {
          phases: {
            dns: toPhase(timing.dnsStart, timing.dnsEnd),
            connect: toPhase(timing.connectStart, timing.connectEnd),
            tls: toPhase(timing.sslStart, timing.sslEnd),
            send: toPhase(timing.sendStart, timing.sendEnd),
          },
        }),
      },
    }),
    ...(timing && timing.sendStart >= 0 && !fromCache && !isOwnAnswer && { sentEpochMs: toEpochMs(timing.sendStart) }),
    ...(timing && timing.receiveHeadersEnd >= 0 && { responseEpochMs: toEpochMs(timing.receiveHeadersEnd) }),
    ...(serverMs !== null && { serverMs }),
  };
}

/** The length of the encoded body; null where the head does not say, as with chunks. */
export function readExpectedBytes(response: Protocol.Network.Response): number | null {
  const length = findHeader(response, 'content-length');
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : null;
}

function findHeader({ headers }: Protocol.Network.Response, sought: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === sought)?.[1];
}

/** The browser's words, with why it forbade or withheld the answer where it did: in these form `core/metrics/request-outcome.ts` knows them. */
export function describeFailure({
  errorText,
  blockedReason,
  corsErrorStatus,
}: Protocol.Network.LoadingFailedEvent): string {
  const reason = corsErrorStatus ? 'cors' : blockedReason;
  return reason ? `${errorText} (${reason})` : errorText;
}

function readInitiatorUrl({ url, stack }: Protocol.Network.Initiator): string | undefined {
  for (let trace = stack; trace; trace = trace.parent) {
    const frame = trace.callFrames.find((candidate) => candidate.url !== '');
    if (frame) return frame.url;
  }
  return url;
}

export function requestTypeOf({
  type = 'Other',
  initiator,
  request,
}: Protocol.Network.RequestWillBeSentEvent): NetworkRequest['type'] {
  // The type of one says `Other` too.
  if (initiator.type === 'preflight') return 'preflight';
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header: the type says `Other`.
  if (request.headers['Sec-Purpose']?.startsWith('prefetch')) return 'prefetch';
  // A report of what a policy forbids: nothing else of this type sends a body.
  if (type === 'Other' && request.method === 'POST') return 'ping';
  // The browser's own wish, named by no element of the page, nor by a header: its icon.
  if (type === 'Other' && initiator.type === 'other' && request.isLinkPreload !== true) return 'icon';
  return types[type];
}
