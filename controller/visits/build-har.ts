import type { Filmstrip } from '../../core/protocol/filmstrip.ts';
import { deriveReadings } from '../../core/metrics/index.ts';
import { findNavigationStart, findMainFrame } from '../../core/metrics/navigation-start.ts';
import { timeHop } from '../../core/causes/request-phases.ts';
import { findPageObjects } from '../../core/metrics/find-page-objects.ts';
import type { PageObject } from '../../core/metrics/page-object.ts';
import type { ResourceEntry } from '../../core/metrics/frame-snapshot.ts';
import type { Exchange, NetworkRequest } from '../../core/metrics/network-request.ts';
import type { Snapshot } from '../../core/metrics/snapshot.ts';
import { redactUrl } from '../../core/har/redact-url.ts';
import {
  timePhases,
  type Har,
  type HarPage,
  type HarEntry,
  type HarHeader,
  type HarTimings,
  type RequestTimes,
} from '../../core/har/har.ts';
import { formatInstant, harTypes } from '../../core/har/har-words.ts';

interface EntryPlace {
  pageId: string;
  clockOffsetMs: number;
  /** When the Snapshot was taken: requests in flight end there. */
  takenEpochMs: number;
  /** Where it was redirected to; empty when it was not. */
  redirectUrl: string;
  /** What the page itself saw of it. */
  timing: SeenTiming | null;
  /** With what the page saw of them, where its engine does not know when it was sent. */
  times: RequestTimes;
}

type SeenTiming = Pick<ResourceEntry, 'encodedBodySize' | 'decodedBodySize'>;

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
  const objects = findPageObjects(snapshot);
  const timings = findTimings(objects);
  const times = new Map(
    objects.flatMap((object) => object.hops.map((hop, position) => [hop, timeHop(object, position)])),
  );
  const hasHeaders = requests.some(({ exchange }) => exchange?.headers);
  return {
    log: {
      version: '1.2',
      creator: { name: 'HTTP-AE', version: creatorVersion },
      pages: [describePage(snapshot, visit, place.pageId)],
      entries: requests.map((request) =>
        buildEntry(request, {
          ...place,
          redirectUrl: nextHops.get(`${request.id} ${request.hop + 1}`) ?? '',
          timing: timings.get(request) ?? null,
          times: times.get(request) ?? request,
        }),
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
  { pageId, clockOffsetMs, takenEpochMs, redirectUrl, timing, times }: EntryPlace,
): HarEntry {
  const { exchange } = request;
  const url = redactUrl(request.url);
  const timings = timePhases(times, takenEpochMs);
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
      ...measureRequest(request),
      ...(!exchange && { comment: 'The engine does not report the method.' }),
    },
    response: {
      status: request.status ?? 0,
      statusText: exchange?.statusText ?? '',
      httpVersion,
      cookies: [],
      headers: exchange?.headers?.response ?? [],
      content: {
        size: Math.round(request.decodedBytes ?? timing?.decodedBodySize ?? unknownBytes),
        mimeType: exchange?.mimeType ?? '',
      },
      redirectURL: redactUrl(redirectUrl),
      ...measureResponse(request, timing),
      _transferSize: request.receivedBytes,
      _error: request.failure,
    },
    cache: {},
    timings,
    ...(exchange?.serverAddress && { serverIPAddress: exchange.serverAddress }),
    ...(request.connectionId !== null && { connection: request.connectionId }),
    _resourceType: harTypes[request.type],
    _servedFromCache: request.fromCache,
    ...(request.endEpochMs === null && { comment: 'It was in flight when the Visit ended; its time ends there.' }),
  };
}

type RequestSizes = Pick<HarEntry['request'], 'headersSize' | 'bodySize'>;
type ResponseSizes = Pick<HarEntry['response'], 'headersSize' | 'bodySize' | 'comment'>;

const unknownBytes = -1;

function measureRequest({ exchange }: NetworkRequest): RequestSizes {
  const { head = null, body = null } = exchange?.sentBytes ?? {};
  return { headersSize: Math.round(head ?? unknownBytes), bodySize: Math.round(body ?? findSentBody(exchange)) };
}

/** By the length in the headers that were recorded, or by the method: browsers send these without a body. https://fetch.spec.whatwg.org/#dom-request */
function findSentBody(exchange: Exchange | undefined): number {
  const length = exchange?.headers?.request.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length);
  return exchange && /^(GET|HEAD|OPTIONS)$/.test(exchange.method) ? 0 : unknownBytes;
}

/** Of the last hops: a page sees no other, and of other origins only what these allow. */
function findTimings(objects: readonly PageObject[]): Map<NetworkRequest, SeenTiming> {
  return new Map(
    objects.flatMap(({ hops, entry, frame }) => {
      const [last, timing] = [hops.at(-1), entry ?? frame?.navigation];
      return last && timing && timing.encodedBodySize > 0 ? [[last, timing] as const] : [];
    }),
  );
}

function measureResponse(request: NetworkRequest, timing: SeenTiming | null): ResponseSizes {
  const { receivedBytes, fromCache, status } = request;
  // A 304 has no body (RFC 9110, 15.4.5): what the page sees is the one that the cache had.
  const seenBytes = status === 304 ? 0 : (request.receivedBodyBytes ?? timing?.encodedBodySize);
  const bodyBytes = seenBytes === undefined ? undefined : Math.round(seenBytes);
  if (fromCache) return { headersSize: unknownBytes, bodySize: 0 };
  if (receivedBytes === null) {
    const size = wasNeverSent(request) ? 0 : unknownBytes;
    return { headersSize: size, bodySize: bodyBytes ?? size };
  }
  const received = Math.round(receivedBytes);
  if (bodyBytes === undefined && received > 0)
    return { headersSize: unknownBytes, bodySize: received, comment: 'bodySize includes the header.' };
  const bodySize = Math.min(bodyBytes ?? 0, received);
  return { headersSize: received - bodySize, bodySize };
}

/** Nothing came of a request that failed before it left. */
function wasNeverSent({ failure, sentEpochMs, responseEpochMs, status }: NetworkRequest): boolean {
  return failure !== null && sentEpochMs === null && responseEpochMs === null && status === null;
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
