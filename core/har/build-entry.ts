import type { NetworkRequest } from '../metrics/snapshot.ts';
import { formatInstant } from './format-instant.ts';
import type { HarEntry, HarHeader, HarResourceType, HarTimings } from './har.ts';
import { redactUrl } from './redact-url.ts';
import { timePhases } from './time-phases.ts';

const resourceTypes: Record<NetworkRequest['type'], HarResourceType> = {
  document: 'document',
  'style-sheet': 'stylesheet',
  script: 'script',
  image: 'image',
  font: 'font',
  media: 'media',
  fetch: 'fetch',
  'event-source': 'eventsource',
  'web-socket': 'websocket',
  ping: 'ping',
  prefetch: 'prefetch',
  preflight: 'preflight',
  manifest: 'manifest',
  icon: 'other',
  other: 'other',
};

interface EntryPlace {
  pageId: string;
  clockOffsetMs: number;
  /** When the Snapshot was taken: requests in flight end there. */
  takenEpochMs: number;
  /** Where it was redirected to; empty when it was not. */
  redirectUrl: string;
}

export function buildEntry(
  request: NetworkRequest,
  { pageId, clockOffsetMs, takenEpochMs, redirectUrl }: EntryPlace,
): HarEntry {
  const { exchange } = request;
  const url = redactUrl(request.url);
  const timings = timePhases(request, takenEpochMs);
  const httpVersion = nameVersion(request.protocol);
  return {
    pageref: pageId,
    startedDateTime: formatInstant(request.startEpochMs + clockOffsetMs),
    time: sumPhases(timings),
    request: {
      method: exchange?.method ?? '',
      url,
      httpVersion,
      cookies: [],
      headers: exchange?.headers?.request ?? [],
      queryString: readQuery(url),
      headersSize: -1,
      bodySize: -1,
      ...(!exchange && { comment: 'The engine does not report the method.' }),
    },
    response: {
      status: request.status ?? 0,
      statusText: exchange?.statusText ?? '',
      httpVersion,
      cookies: [],
      headers: exchange?.headers?.response ?? [],
      content: { size: Math.round(request.decodedBytes ?? -1), mimeType: exchange?.mimeType ?? '' },
      redirectURL: redactUrl(redirectUrl),
      headersSize: -1,
      bodySize: request.fromCache ? 0 : -1,
      _transferSize: request.receivedBytes,
      _error: request.failure,
    },
    cache: {},
    timings,
    ...(exchange?.serverAddress && { serverIPAddress: exchange.serverAddress }),
    ...(request.connectionId !== null && { connection: request.connectionId }),
    _resourceType: resourceTypes[request.type],
    _servedFromCache: request.fromCache,
    ...(request.endEpochMs === null && { comment: 'It was in flight when the Visit ended; its time ends there.' }),
  };
}

function sumPhases({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  return [blocked, dns, connect, send, wait, receive].reduce((sum, ms) => sum + Math.max(ms, 0), 0);
}

/** From the name in ALPN. */
function nameVersion(protocol: string | null): string {
  if (protocol === null || protocol === '') return 'unknown';
  const major = /^h([23])\b/.exec(protocol)?.[1];
  return major ? `HTTP/${major}` : protocol.toUpperCase();
}

function readQuery(url: string): HarHeader[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
