import { findPageObjects } from '../../../core/metrics/find-page-objects.ts';
import { findViewportObjects, type ViewportObject } from '../../../core/metrics/find-viewport-objects.ts';
import { findNavigationStart } from '../../../core/metrics/navigation-start.ts';
import type { PageObject } from '../../../core/metrics/page-object.ts';
import type { NetworkRequest } from '../../../core/metrics/network-request.ts';
import type { Snapshot } from '../../../core/metrics/snapshot.ts';
import type { PathStep } from '../../../core/causes/critical-path.ts';
import { layOutObject, type RequestPhase } from '../../../core/causes/request-phases.ts';

/** The key of the row of an object, by its place among those of the Snapshot, or of one of its hops. */
function keyOfRow(object: number, hop: number | null): string {
  return hop === null ? `${object}` : `${object}.${hop}`;
}

/** The steps of a critical path by the key of their row. A probe's object has no hops. */
export function placePath(path: readonly PathStep[], rows: readonly WaterfallRow[]): Map<string, PathStep[]> {
  const keys = new Set(rows.map(({ key }) => key));
  return Map.groupBy(
    path.filter(({ of }) => of !== null),
    ({ of }) => {
      const key = keyOfRow(of!.object, of!.hop);
      return keys.has(key) ? key : keyOfRow(of!.object, null);
    },
  );
}

/** One request of a Visit; times are milliseconds from navigation start. */
export interface WaterfallRow {
  /** Unique in the waterfall. */
  key: string;
  url: string;
  type: NetworkRequest['type'];
  startMs: number;
  /** Null while it was in flight when the Snapshot was taken; its phases continue until then. */
  endMs: number | null;
  phases: RequestPhase[];
  /** What the initial viewport needs it as; null where it does not. */
  viewportNeed: ViewportObject['kind'] | 'page' | null;
  /** The address of the frame that requested it; null for the page itself, and where nobody reports it. */
  frameUrl: string | null;
  failure: string | null;
  status: number | null;
  protocol: string | null;
  fromCache: boolean;
  /** From 1, in the order of first use; null where nobody reports it, or none carried it. */
  connection: number | null;
  serverAddress: string | null;
  initiatorUrl: string | null;
  /** Over the connection, headers included; null where nobody reports it. */
  receivedBytes: number | null;
  decodedBytes: number | null;
}

export interface Waterfall {
  rows: WaterfallRow[];
  /** Where navigation start is on the clock of the User Agent's host. */
  originEpochMs: number;
  /** The last thing that is in it. */
  endMs: number;
}

/** Every request that a page made, each hop of its redirects separately, in the order of their starts. */
export function buildWaterfall(snapshot: Snapshot): Waterfall {
  const originEpochMs = findNavigationStart(snapshot);
  const needs = new Map((findViewportObjects(snapshot) ?? []).map(({ object, kind }) => [object, kind]));
  const connections = numberConnections(snapshot.requests);
  const rows = findPageObjects(snapshot)
    .flatMap((object, index) => {
      const isPage = object.type === 'document' && object.frame?.path.length === 0;
      const viewportNeed: WaterfallRow['viewportNeed'] = isPage ? 'page' : (needs.get(object) ?? null);
      const frameUrl = object.frame && object.frame.path.length !== 0 ? object.frame.url : null;
      const shared = { type: object.type, frameUrl };
      const phases = layOutObject(object, { originEpochMs, untilEpochMs: snapshot.takenEpochMs });
      if (object.hops.length === 0)
        return [
          {
            key: keyOfRow(index, null),
            ...shared,
            viewportNeed,
            ...describeSeenByProbe(object, originEpochMs),
            phases,
          },
        ];
      return object.hops.map((hop, position) => ({
        key: keyOfRow(index, position),
        ...shared,
        // Of a redirected request, what the viewport needs is where it led.
        viewportNeed: position === object.hops.length - 1 ? viewportNeed : null,
        ...describeHop(hop, { originEpochMs, connections }),
        phases: phases.filter((phase) => phase.hop === position),
      }));
    })
    .sort((one, other) => one.startMs - other.startMs);
  return {
    rows,
    originEpochMs,
    endMs: rows.reduce(
      (last, { phases, endMs, startMs }) => Math.max(last, phases.at(-1)?.endMs ?? endMs ?? startMs),
      0,
    ),
  };
}

type Described = Omit<WaterfallRow, 'key' | 'type' | 'viewportNeed' | 'frameUrl' | 'phases'>;

function describeHop(
  hop: NetworkRequest,
  { connections, originEpochMs }: { originEpochMs: number; connections: Map<string, number> },
): Described {
  const { url, failure, status, protocol, fromCache, connectionId, initiatorUrl, receivedBytes, decodedBytes } = hop;
  return {
    url,
    failure,
    status,
    protocol,
    fromCache,
    initiatorUrl,
    receivedBytes,
    decodedBytes,
    startMs: hop.startEpochMs - originEpochMs,
    endMs: hop.endEpochMs === null ? null : hop.endEpochMs - originEpochMs,
    connection: connectionId === null ? null : connections.get(connectionId)!,
    serverAddress: hop.exchange?.serverAddress ?? null,
  };
}

function describeSeenByProbe(object: PageObject, originEpochMs: number): Described {
  const { url, frame, startEpochMs, endEpochMs, failed } = object;
  const timing = object.entry ?? frame?.navigation ?? null;
  return {
    url,
    failure: failed && timing?.responseStatus == null ? 'failed' : null,
    status: timing?.responseStatus ?? null,
    protocol: timing?.nextHopProtocol || null,
    fromCache: false,
    initiatorUrl: null,
    receivedBytes: timing && timing.transferSize > 0 ? timing.transferSize : null,
    decodedBytes: timing && timing.decodedBodySize > 0 ? timing.decodedBodySize : null,
    startMs: startEpochMs - originEpochMs,
    endMs: endEpochMs === null ? null : endEpochMs - originEpochMs,
    connection: null,
    serverAddress: null,
  };
}

function numberConnections(requests: readonly NetworkRequest[]): Map<string, number> {
  const inOrder = requests
    .toSorted((one, other) => one.startEpochMs - other.startEpochMs)
    .flatMap(({ connectionId }) => (connectionId === null ? [] : [connectionId]));
  return new Map([...new Set(inOrder)].map((id, index) => [id, index + 1]));
}
