import { measureBaseLatency } from './base-latency.ts';
import { findViewportObjects } from './find-viewport-objects.ts';
import { measureLatestEnd } from './latest-end.ts';
import { findNavigationStart } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

/** Viewport latency: navigation start to the last byte of the last object that the initial viewport needs; never less than the base page latency. */
export function measureViewportLatency(snapshot: Snapshot): Measurement {
  if (snapshot.viewport === null) return { reason: 'unsupported' };
  const objects = findViewportObjects(snapshot);
  if (!objects) return { reason: 'page-hidden' };
  const base = measureBaseLatency(snapshot);
  const last = measureLatestEnd(objects, findNavigationStart(snapshot));
  if ('reason' in base) return base;
  if ('reason' in last) return last;
  const lastSure = measureLatestEnd(
    objects.filter(({ isSure }) => isSure),
    findNavigationStart(snapshot),
  );
  const isDecidedByUnsure = 'reason' in lastSure || Math.max(base.value, lastSure.value) < last.value;
  return isDecidedByUnsure ? { reason: 'timing-hidden' } : { value: Math.max(base.value, last.value) };
}

export function countViewportObjects(snapshot: Snapshot): Measurement {
  if (snapshot.viewport === null) return { reason: 'unsupported' };
  const objects = findViewportObjects(snapshot);
  if (!objects) return { reason: 'page-hidden' };
  return objects.every(({ isSure }) => isSure) ? { value: objects.length } : { reason: 'timing-hidden' };
}
