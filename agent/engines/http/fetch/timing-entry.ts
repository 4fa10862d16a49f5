import type { NavigationEntry, ResourceEntry } from '#core/metrics/frame-snapshot.ts';
import { toMicroseconds } from '#core/metrics/whole-microseconds.ts';
import { lastHop, type FetchedObject, type Hop } from './hop.ts';

type TimingFields = Pick<ResourceEntry, Exclude<keyof ResourceEntry, 'initiatorType' | 'renderBlockingStatus'>>;

/** The entry that a page would have of something it fetched. https://w3c.github.io/resource-timing/ */
export function describeResource(fetched: FetchedObject, timeOrigin: number): ResourceEntry {
  const [first] = fetched.hops;
  return {
    ...describeTiming(fetched, timeOrigin),
    name: first.request.url,
    initiatorType: fetched.initiatorType,
    renderBlockingStatus: null,
  };
}

/** When a document that is not rendered was parsed, and had loaded all that delays its load event; 0 while it has not. Epoch ms. */
export interface DocumentTimes {
  parsedEpochMs: number;
  loadedEpochMs: number;
}

/** https://w3c.github.io/navigation-timing/: without scripts nothing happens between the end of parsing and the load event. */
export function describeNavigation(
  fetched: FetchedObject,
  { timeOrigin, times }: { timeOrigin: number; times: DocumentTimes },
): NavigationEntry {
  const since = (epochMs: number) => epochMs && toMicroseconds(epochMs - timeOrigin);
  const parsed = since(times.parsedEpochMs);
  const loaded = since(times.loadedEpochMs);
  return {
    ...describeTiming(fetched, timeOrigin),
    name: fetched.url,
    type: 'navigate',
    redirectCount: fetched.hops.length - 1,
    domInteractive: parsed,
    domContentLoadedEventStart: parsed,
    domContentLoadedEventEnd: parsed,
    loadEventStart: loaded,
    loadEventEnd: loaded,
    legacyResponseEndEpochMs: null,
  };
}

function describeTiming(fetched: FetchedObject, timeOrigin: number): Omit<TimingFields, 'name'> & { name: string } {
  const { hops } = fetched;
  const hop = lastHop(fetched);
  const { request } = hop;
  const isRedirected = hops.length > 1;
  const since = (epochMs: number | null) => (epochMs === null ? 0 : toMicroseconds(epochMs - timeOrigin));
  return {
    name: fetched.url,
    startTime: since(hops[0].request.startEpochMs),
    redirectStart: isRedirected ? since(hops[0].request.startEpochMs) : 0,
    redirectEnd: isRedirected ? since(request.startEpochMs) : 0,
    fetchStart: since(request.startEpochMs),
    ...describeConnection(hop, timeOrigin),
    requestStart: since(request.sentEpochMs ?? request.startEpochMs),
    responseStart: since(request.responseEpochMs),
    responseEnd: since(request.endEpochMs),
    nextHopProtocol: request.protocol ?? '',
    transferSize: request.fromCache ? 0 : (request.receivedBytes ?? 0),
    encodedBodySize: hop.encodedBytes,
    decodedBodySize: request.decodedBytes ?? 0,
    responseStatus: request.status,
  };
}

type ConnectionFields = Pick<
  ResourceEntry,
  'domainLookupStart' | 'domainLookupEnd' | 'connectStart' | 'connectEnd' | 'secureConnectionStart'
>;

/** All of it is the start of the fetch where the connection was there already; no part is before it where it was on its way. */
function describeConnection({ request, connectionTimes }: Hop, timeOrigin: number): ConnectionFields {
  const start = request.startEpochMs;
  const since = (epochMs: number) => toMicroseconds(Math.max(epochMs, start) - timeOrigin);
  const {
    lookupStartEpochMs = start,
    lookupEndEpochMs = start,
    connectStartEpochMs = start,
    connectEndEpochMs = start,
    secureStartEpochMs,
  } = connectionTimes ?? {};
  const isSecure = request.url.startsWith('https:');
  return {
    domainLookupStart: since(lookupStartEpochMs),
    domainLookupEnd: since(lookupEndEpochMs),
    connectStart: since(connectStartEpochMs),
    connectEnd: since(connectEndEpochMs),
    secureConnectionStart: isSecure ? since(secureStartEpochMs ?? start) : 0,
  };
}
