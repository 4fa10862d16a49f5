import { findCountedObjects } from './find-counted-objects.ts';
import { findViewportObjects } from './find-viewport-objects.ts';
import type { Measured, Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame } from './navigation-start.ts';
import type { PageObject } from './page-object.ts';
import type { NetworkRequest, Snapshot } from './snapshot.ts';

/** What the page consists of, and what came for it. */
export const objectsAndBytes = {
  objectCount: {
    unit: 'count',
    label: 'Objects',
    definition: 'The base page and the embedded objects that its total latency counts.',
    source: 'HTTP-AE',
    since: 0,
  },
  failedObjectCount: {
    unit: 'count',
    label: 'Failed objects',
    definition:
      'Counted objects that failed: with an HTTP status of 400 or more, without a whole answer, or withheld by the browser.',
    source: 'HTTP-AE',
    since: 0,
  },
  viewportObjectCount: {
    unit: 'count',
    label: 'Viewport objects',
    definition: 'Objects that the initial viewport needs, without the base page.',
    source: 'HTTP-AE',
    since: 0,
  },
  receivedBytes: {
    unit: 'bytes',
    label: 'Received',
    definition: 'Bytes of headers and bodies that the browser received for the counted objects.',
    source: 'Chrome DevTools Protocol, Network.loadingFinished',
    since: 0,
  },
  decodedBytes: {
    unit: 'bytes',
    label: 'Decoded',
    definition: 'Bytes of the counted objects’ bodies after decompression.',
    source: 'Resource Timing, W3C',
    since: 0,
  },
  connectionCount: {
    unit: 'count',
    label: 'Connections used',
    definition: 'Transport connections that carried the counted objects.',
    source: 'Chrome DevTools Protocol, Network.Response.connectionId',
    since: 0,
  },
  hintedObjectCount: {
    unit: 'count',
    label: 'Objects by early hints',
    definition: 'Embedded objects that the browser requested because of an early hint, before the base page’s answer.',
    source: 'Resource Timing, initiator type early-hints',
    since: 3,
  },
  pushedObjectCount: {
    unit: 'count',
    label: 'Pushed objects',
    definition: 'Embedded objects that the server pushed, and the page used.',
    source: 'RFC 9113, section 8.4',
    since: 6,
  },
  unusedPushBytes: {
    unit: 'bytes',
    label: 'Unused pushes',
    definition: 'Bytes that servers pushed, and the page did not use.',
    source: 'RFC 9113, section 8.4',
    since: 6,
  },
} as const satisfies Metrics;

/** What came over the network for the base page and the objects that its total latency counts. */
export function measureObjectsAndBytes(snapshot: Snapshot): Measured<typeof objectsAndBytes> {
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
    viewportObjectCount: countViewportObjects(snapshot),
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

function countViewportObjects(snapshot: Snapshot): Measurement {
  if (snapshot.viewport === null) return { reason: 'unsupported' };
  const objects = findViewportObjects(snapshot);
  if (!objects) return { reason: 'page-hidden' };
  return objects.every(({ isSure }) => isSure) ? { value: objects.length } : { reason: 'timing-hidden' };
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

/**
 * The version of HTTP that an object came by, by its name in ALPN, such as `h2`. Of redirects the last hop counts. Null for what came from the cache, and where neither the engine nor the
 * page reports it, as of an object without an answer.
 */
export function readProtocol({ hops, entry, frame }: PageObject): string | null {
  const last = hops.at(-1);
  if (last?.fromCache) return null;
  return last?.protocol || (entry ?? frame?.navigation)?.nextHopProtocol || null;
}
