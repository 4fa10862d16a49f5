import { measureBaseLatency } from './latencies.ts';
import type { Measured, Measurement, Metrics } from './metric-definition.ts';
import { findFirstRequest, findMainFrame, findNavigationStart, hasLedElsewhere } from './navigation-start.ts';
import { withoutFragment } from './page-object.ts';
import type { NavigationEntry } from './frame-snapshot.ts';
import type { NetworkRequest } from './network-request.ts';
import type { Snapshot } from './snapshot.ts';

/** From it latencies can count, too. */
export const requestStart = {
  requestStartMs: {
    unit: 'ms',
    label: 'Request start',
    definition: 'Navigation start to the first byte of the first request sent.',
    source: 'Navigation Timing Level 2, W3C',
    since: 0,
  },
} as const satisfies Metrics;

/** When the base page got how far, and what it waited for. */
export const navigationPhases = {
  loadEventMs: {
    unit: 'ms',
    label: 'Load event',
    definition: 'Navigation start to the start of the load event.',
    source: 'Navigation Timing Level 2, W3C',
    since: 0,
  },
  firstByteMs: {
    unit: 'ms',
    label: 'Time to first byte',
    definition: 'Navigation start to the first byte of the base page’s response.',
    source: 'Navigation Timing Level 2, W3C',
    since: 0,
  },
  blockedMs: {
    unit: 'ms',
    label: 'Before the request',
    definition:
      'Time before the base page’s request without name resolution and connection: redirects, and the browser’s own work.',
    source: 'HTTP-AE',
    since: 0,
  },
  dnsMs: {
    unit: 'ms',
    label: 'Name resolution',
    definition: 'Time that the base page’s request waited for name resolution.',
    source: 'Resource Timing, W3C',
    since: 0,
  },
  connectMs: {
    unit: 'ms',
    label: 'Connection',
    definition: 'Time that the base page’s request waited for its connection, TLS included.',
    source: 'Resource Timing, W3C',
    since: 0,
  },
  tlsMs: {
    unit: 'ms',
    label: 'TLS',
    definition: 'Time that the base page’s request waited for the TLS handshake.',
    source: 'Resource Timing, W3C',
    since: 0,
  },
  requestMs: {
    unit: 'ms',
    label: 'Request',
    definition: 'First byte of the base page’s request sent to the first byte of its response.',
    source: 'Resource Timing, W3C',
    since: 0,
  },
  responseMs: {
    unit: 'ms',
    label: 'Response',
    definition: 'First to last byte of the base page’s response.',
    source: 'Resource Timing, W3C',
    since: 0,
  },
} as const satisfies Metrics;

/**
 * The phases of the base page, of its last request where it was redirected. https://w3c.github.io/navigation-timing/#processing-model
 * `blockedMs`, `dnsMs`, `connectMs`, `requestMs` and `responseMs` add up to the base page latency; one that is absent adds nothing.
 */
export function measureNavigationPhases(snapshot: Snapshot): Measured<typeof requestStart & typeof navigationPhases> {
  const { navigation, timeOrigin } = findMainFrame(snapshot);
  const sinceStartMs = timeOrigin - findNavigationStart(snapshot);
  const at = (field: keyof NavigationEntry & `${string}${'Start' | 'End'}`): Measurement => {
    const time = navigation?.[field];
    return time ? { value: sinceStartMs + time } : { reason: 'not-reached' };
  };
  const sent = at('requestStart');
  const firstByte = at(navigation?.finalResponseHeadersStart ? 'finalResponseHeadersStart' : 'responseStart');
  const connection = measureConnectionPhases(snapshot);
  return {
    requestStartMs: measureRequestStart(snapshot, sent),
    firstByteMs: firstByte,
    loadEventMs: at('loadEventStart'),
    ...connection,
    blockedMs:
      'reason' in sent ? sent : { value: sent.value - valueOf(connection.dnsMs) - valueOf(connection.connectMs) },
    requestMs: between(sent, firstByte),
    // Not the entry's own end, which in Firefox may repeat its start.
    responseMs: between(firstByte, measureBaseLatency(snapshot)),
  };
}

function between(from: Measurement, to: Measurement): Measurement {
  if ('reason' in from) return from;
  return 'reason' in to ? to : { value: to.value - from.value };
}

function valueOf(measurement: Measurement): number {
  return 'value' in measurement ? measurement.value : 0;
}

/** Navigation Timing has the last request only: where the page was redirected, the engine knows the first one. */
function measureRequestStart(snapshot: Snapshot, ownRequestStart: Measurement): Measurement {
  const first = findFirstRequest(snapshot);
  const hops = snapshot.requests.filter(({ id, isMainDocument }) => isMainDocument && id === first?.id);
  if (!first || (hops.length <= 1 && !hasLedElsewhere(snapshot))) return ownRequestStart;
  // A first request that the browser's cache answered was never sent.
  if (first.fromCache) return { reason: 'not-applicable' };
  const sentEpochMs = hops.find((hop, index) => !isRedirectOfBrowser(hop, hops[index + 1]))?.sentEpochMs;
  return sentEpochMs == null ? { reason: 'unsupported' } : { value: sentEpochMs - findNavigationStart(snapshot) };
}

/** To TLS, as the host had asked for that: nothing was sent. */
function isRedirectOfBrowser({ url, status, sentEpochMs }: NetworkRequest, next: NetworkRequest | undefined): boolean {
  return sentEpochMs === null && status === 307 && next?.url === url.replace(/^http:/, 'https:');
}

type ConnectionPhaseId = 'dnsMs' | 'connectMs' | 'tlsMs';

/**
 * How long the base page's last request waited for its name, its connection, and TLS. What took place before the request began is not
 * among its times: Chrome opens connections ahead, and calls one that was ready by then kept.
 */
function measureConnectionPhases(snapshot: Snapshot): Record<ConnectionPhaseId, Measurement> {
  const { navigation } = findMainFrame(snapshot);
  if (!navigation) return absent('not-reached');
  const request = findBaseRequest(snapshot, navigation);
  const unseen = findUnseenConnection(navigation, request);
  const waits = unseen ? absent(unseen) : measureWaits(navigation);
  return {
    ...waits,
    ...(isLookupUnseen(request) && { dnsMs: { reason: 'opened-ahead' } }),
    ...(navigation.secureConnectionStart === 0 && { tlsMs: { reason: 'not-applicable' } }),
  };
}

/** Name resolution and connection follow each other, between navigation start and the sending of the request. */
function measureWaits(navigation: NavigationEntry): Record<ConnectionPhaseId, Measurement> {
  const { domainLookupStart, domainLookupEnd, connectStart, connectEnd, secureConnectionStart, requestStart } =
    navigation;
  const within = (time: number) => Math.max(0, Math.min(time, requestStart));
  const connectFrom = within(Math.max(connectStart, domainLookupEnd));
  const lengthOf = (from: number, to: number): Measurement => ({ value: Math.max(0, to - from) });
  return {
    dnsMs: lengthOf(within(domainLookupStart), within(domainLookupEnd)),
    connectMs: lengthOf(connectFrom, within(connectEnd)),
    tlsMs: lengthOf(within(Math.max(secureConnectionStart, connectFrom)), within(connectEnd)),
  };
}

/** Why the times of the connection are not known; null where they are, or there was nothing to wait for. */
function findUnseenConnection(
  { connectStart, connectEnd }: NavigationEntry,
  request: NetworkRequest | null,
): 'opened-ahead' | 'unsupported' | null {
  const isReused = request?.isConnectionReused;
  if (connectEnd > connectStart || request?.fromCache || isReused === undefined || isReused === true) return null;
  return isReused === null ? 'unsupported' : 'opened-ahead';
}

/** Chrome gives all that a connection did before the request the time at which the request began. */
function isLookupUnseen(request: NetworkRequest | null): boolean {
  const { dns = null, connect = null } = request?.exchange?.phases ?? {};
  return (
    request?.isConnectionReused === false &&
    dns !== null &&
    connect !== null &&
    dns[0] === dns[1] &&
    dns[1] === connect[0]
  );
}

/** The last hop of the navigation that gave the page. */
function findBaseRequest({ requests }: Snapshot, navigation: NavigationEntry): NetworkRequest | null {
  const documents = requests.filter((request) => request.isMainDocument);
  return (
    documents.findLast(({ url }) => withoutFragment(url) === withoutFragment(navigation.name)) ??
    documents.at(-1) ??
    null
  );
}

function absent(reason: 'not-reached' | 'opened-ahead' | 'unsupported'): Record<ConnectionPhaseId, Measurement> {
  return { dnsMs: { reason }, connectMs: { reason }, tlsMs: { reason } };
}
