import type { Filmstrip } from '../../core/protocol/filmstrip.ts';
import { deriveReadings } from '../../core/metrics/index.ts';
import { findNavigationStart, findMainFrame } from '../../core/metrics/navigation-start.ts';
import type { Snapshot, NetworkRequest } from '../../core/metrics/snapshot.ts';
import { redactUrl } from '../../core/har/redact-url.ts';
import type { Har, HarPage, HarEntry, HarHeader, HarResourceType, HarTimings } from '../../core/har/har.ts';
import { timePhases } from '../../core/har/time-phases.ts';

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

/** What is known of the Visit that a HAR is of, beside its Snapshot. */
export interface HarVisit {
  id: string;
  /** What pairs it with Visits of other Scenarios; without it, the address that was requested. */
  page?: string;
  /** Run, Block, Scenario and User Agent, in words. */
  description: string;
  /** Controller clock minus Agent clock: the HARs of several users share the Controller's. */
  clockOffsetMs: number;
  filmstrip?: Filmstrip | null;
}

/**
 * The HTTP Archive of one Visit. It is made from the Snapshot when somebody asks for it, so that it costs the measurement nothing; headers are in it
 * where they were recorded. What an engine does not report is −1 or empty, and a comment says so.
 */
export function buildHar(
  snapshot: Snapshot,
  { visit, creatorVersion }: { visit: HarVisit; creatorVersion: string },
): Har {
  const place = { pageId: 'page_1', clockOffsetMs: visit.clockOffsetMs, takenEpochMs: snapshot.takenEpochMs };
  const requests = snapshot.requests.toSorted((a, b) => a.startEpochMs - b.startEpochMs || a.hop - b.hop);
  const nextHops = new Map(requests.map((request) => [`${request.id} ${request.hop}`, request.url]));
  const hasHeaders = requests.some(({ exchange }) => exchange?.headers);
  return {
    log: {
      version: '1.2',
      creator: { name: 'HTTP-AE', version: creatorVersion },
      pages: [describePage(snapshot, visit, place.pageId)],
      entries: requests.map((request) =>
        buildEntry(request, { ...place, redirectUrl: nextHops.get(`${request.id} ${request.hop + 1}`) ?? '' }),
      ),
      comment: hasHeaders
        ? 'Headers and URLs have no values of cookies, passwords, keys and tokens. Bodies are not kept.'
        : 'Headers were not recorded: "artefacts: { har: true }" in the Evaluation records them. Bodies are not kept.',
    },
  };
}

function describePage(snapshot: Snapshot, visit: HarVisit, id: string): HarPage {
  const main = findMainFrame(snapshot);
  const startEpochMs = findNavigationStart(snapshot);
  const sinceStart = (frameMs: number | undefined) => (frameMs ? frameMs + (main.timeOrigin - startEpochMs) : -1);
  const readings = deriveReadings(snapshot, visit.filmstrip).flatMap((reading) =>
    reading.kind === 'measured' ? [[`_${reading.metric}`, reading.value] as const] : [],
  );
  return {
    startedDateTime: formatInstant(startEpochMs + visit.clockOffsetMs),
    id,
    title: redactUrl(snapshot.requestedUrl),
    pageTimings: {
      onContentLoad: sinceStart(main.navigation?.domContentLoadedEventStart),
      onLoad: sinceStart(main.navigation?.loadEventStart),
      ...Object.fromEntries(readings),
    },
    comment: visit.description,
    _visitId: visit.id,
    ...(visit.page !== undefined && visit.page !== snapshot.requestedUrl && { _page: redactUrl(visit.page) }),
    _settled: snapshot.settled,
  };
}

function buildEntry(
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

/** An instant in ISO 8601, to the microsecond: `Date` alone would cut it to the millisecond. */
export function formatInstant(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const microseconds = Math.floor((epochMs - wholeMs) * 1000);
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}
