import type { MetricId } from './catalogue.ts';
import { findCountedObjects } from './find-counted-objects.ts';
import { findMainFrame } from './navigation-start.ts';
import type { PageObject } from './page-object.ts';
import type { Measurement } from './reading.ts';
import type { NetworkRequest, Snapshot } from './snapshot.ts';

type TrafficId = Extract<
  MetricId,
  | 'objectCount'
  | 'failedObjectCount'
  | 'receivedBytes'
  | 'decodedBytes'
  | 'connectionCount'
  | 'hintedObjectCount'
  | 'pushedObjectCount'
  | 'unusedPushBytes'
>;

/** What came over the network for the base page and the objects that its total latency counts. */
export function measureTraffic(snapshot: Snapshot): Record<TrafficId, Measurement> {
  const { unusedPushes } = snapshot;
  const objects = findCountedObjects(snapshot);
  const hops = objects.flatMap((object) => object.hops);
  const isAllCached = hops.length > 0 && hops.every((hop) => hop.fromCache);
  const isReported = (field: 'receivedBytes' | 'decodedBytes' | 'connectionId') =>
    isAllCached || hops.some((hop) => hop[field] !== null);
  const connectionIds = new Set(hops.map((hop) => hop.connectionId).filter((id) => id !== null));
  return {
    objectCount: { value: objects.length },
    failedObjectCount: { value: objects.filter((object) => object.failed).length },
    receivedBytes: isReported('receivedBytes')
      ? { value: sum(hops.map((hop) => hop.receivedBytes ?? 0)) }
      : sumEntries(snapshot, objects, 'transferSize'),
    decodedBytes:
      isReported('decodedBytes') && !hops.some(isOfUnknownSize)
        ? { value: sum(hops.map((hop) => hop.decodedBytes ?? 0)) }
        : sumEntries(snapshot, objects, 'decodedBodySize'),
    connectionCount: isReported('connectionId') ? { value: connectionIds.size } : { reason: 'unsupported' },
    hintedObjectCount: { value: objects.filter(({ entry }) => entry?.initiatorType === 'early-hints').length },
    pushedObjectCount: unusedPushes
      ? { value: objects.filter((object) => object.hops.some(({ isPushed }) => isPushed)).length }
      : { reason: 'unsupported' },
    unusedPushBytes: unusedPushes ? { value: unusedPushes.bytes } : { reason: 'unsupported' },
  };
}

/** Firefox does not report how much of a compressed body came: left out of a sum, it would be missing there unseen. */
function isOfUnknownSize({ status, fromCache, failure, endEpochMs, decodedBytes }: NetworkRequest): boolean {
  const hasBody = status !== null && status >= 200 && status < 300;
  return hasBody && !fromCache && failure === null && endEpochMs !== null && decodedBytes === null;
}

/** Where no engine reports them, the page knows the sizes of what its own origin sent, and of what others let it see. */
function sumEntries(
  snapshot: Snapshot,
  objects: readonly PageObject[],
  field: 'transferSize' | 'decodedBodySize',
): Measurement {
  const entries = objects.map((object) => object.entry ?? object.frame?.navigation ?? null);
  const origin = originOf(findMainFrame(snapshot).url);
  const isHidden = entries.some(
    (entry) => !entry || (entry.decodedBodySize === 0 && (origin === null || originOf(entry.name) !== origin)),
  );
  return isHidden ? { reason: 'timing-hidden' } : { value: sum(entries.map((entry) => entry?.[field] ?? 0)) };
}

/** Null for an address that is none. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
