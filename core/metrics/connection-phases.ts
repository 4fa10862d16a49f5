import type { MetricId } from './catalogue.ts';
import { findMainFrame } from './navigation-start.ts';
import { withoutFragment } from './page-object.ts';
import type { Measurement } from './reading.ts';
import type { NavigationEntry, NetworkRequest, Snapshot } from './snapshot.ts';

type ConnectionPhaseId = Extract<MetricId, 'dnsMs' | 'connectMs' | 'tlsMs'>;

/**
 * How long the base page's last request waited for its name, its connection, and TLS. What took place before the request began is not
 * among its times: Chrome opens connections ahead, and calls one that was ready by then kept.
 */
export function measureConnectionPhases(snapshot: Snapshot): Record<ConnectionPhaseId, Measurement> {
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
