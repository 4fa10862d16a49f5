import { findPageObjects } from './find-page-objects.ts';
import { findMainFrame } from './navigation-start.ts';
import { isLaterThan, type PageObject } from './page-object.ts';
import type { Snapshot } from './snapshot.ts';

/** What is no part of the page, or has no end that anyone waits for. */
const neverCounted: ReadonlySet<PageObject['type']> = new Set([
  'event-source',
  'web-socket',
  'ping',
  'media',
  'prefetch',
  'preflight',
  'manifest',
  'icon',
]);

/** The base page and the embedded objects that the total page load latency counts. */
export function findCountedObjects(snapshot: Snapshot): PageObject[] {
  const { timeOrigin, navigation } = findMainFrame(snapshot);
  const loadEpochMs = navigation?.loadEventStart ? timeOrigin + navigation.loadEventStart : Infinity;
  return findPageObjects(snapshot).filter((object) => {
    const { type, startEpochMs } = object;
    if (neverCounted.has(type) || isLaterThan(snapshot, object)) return false;
    // A later script fetch counts by the objects that it brings in.
    return type !== 'fetch' || startEpochMs < loadEpochMs;
  });
}
