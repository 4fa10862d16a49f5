import { findCountedObjects } from './find-counted-objects.ts';
import { findViewportObjects } from './find-viewport-objects.ts';
import type { Measured, Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame } from './navigation-start.ts';
import type { PageObject } from './page-object.ts';
import type { ResourceEntry } from './frame-snapshot.ts';
import type { NetworkRequest } from './network-request.ts';
import type { Snapshot } from './snapshot.ts';

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
    receivedBytes:
      isReported('receivedBytes') && !hops.some(isKnownByEntry)
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

/** Firefox reports neither the answer of an `object` nor its end. */
function isKnownByEntry({ endedBy, receivedBytes }: NetworkRequest): boolean {
  return endedBy === 'probe' && receivedBytes === null;
}

/** Firefox does not report how large a body is that came compressed or from the cache, also by 304: left out of a sum, it would be missing there unseen. */
function isOfUnknownSize(hop: NetworkRequest): boolean {
  const { status, failure, endEpochMs, decodedBytes } = hop;
  const hasBody = isKnownByEntry(hop) || (status !== null && ((status >= 200 && status < 300) || status === 304));
  return hasBody && failure === null && endEpochMs !== null && decodedBytes === null;
}

/** Where no engine reports them, the page knows the sizes of what its own origin sent, and of what others let it see. */
function sumEntries(
  snapshot: Snapshot,
  objects: readonly PageObject[],
  field: 'transferSize' | 'decodedBodySize',
): Measurement {
  const origin = originOf(findMainFrame(snapshot).url);
  const sizes = objects.map((object) => {
    const entry = entryOf(object);
    return entry === null || isHidden(object, { entry, origin }) ? null : entry[field];
  });
  return sizes.includes(null) ? { reason: 'timing-hidden' } : { value: sum(sizes.map((size) => size ?? 0)) };
}

type Entry = Pick<ResourceEntry, 'name' | 'transferSize' | 'decodedBodySize' | 'responseStatus'>;

function entryOf({ entry, frame }: PageObject): Entry | null {
  return entry ?? frame?.navigation ?? null;
}

/** What another origin does not let the page see, and what a frame without an origin fetched, as one in a sandbox. */
function isHidden({ hops }: PageObject, { entry, origin }: { entry: Entry; origin: string | null }): boolean {
  const { name, transferSize, decodedBodySize, responseStatus } = entry;
  if (decodedBodySize > 0) return false;
  if (origin === null || originOf(name) !== origin) return true;
  const last = hops.at(-1);
  return transferSize === 0 && !responseStatus && last !== undefined && last.status !== null && last.failure === null;
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
