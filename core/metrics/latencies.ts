import { findCountedObjects } from './find-counted-objects.ts';
import { findPageObjects } from './find-page-objects.ts';
import { findViewportObjects } from './find-viewport-objects.ts';
import type { Measured, Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { PageObject } from './page-object.ts';
import { hasLedNowhere } from './request-outcome.ts';
import type { Snapshot } from './snapshot.ts';

/** The three latencies that every comparison shows. */
export const latencies = {
  baseMs: {
    unit: 'ms',
    label: 'Base page latency',
    definition: 'Navigation start to the last byte of the base page’s HTML, redirects included.',
    source: 'HTTP-AE',
    since: 0,
  },
  viewportMs: {
    unit: 'ms',
    label: 'Viewport latency',
    definition: 'Navigation start to the last byte of the last object that the initial viewport needs.',
    source: 'HTTP-AE',
    since: 0,
  },
  totalMs: {
    unit: 'ms',
    label: 'Total page load latency',
    definition:
      'Navigation start to the last byte of the base page and all its embedded objects, late ones included, until the page has settled.',
    source: 'HTTP-AE',
    since: 0,
  },
} as const satisfies Metrics;

export function measureLatencies(snapshot: Snapshot): Measured<typeof latencies> {
  return {
    baseMs: measureBaseLatency(snapshot),
    viewportMs: measureViewportLatency(snapshot),
    totalMs: measureTotalLatency(snapshot),
  };
}

/** The base page itself. A page that a script has replaced at its own address has no entry of its own: then the last document that the engine saw. */
export function findBasePage(snapshot: Snapshot): PageObject | null {
  const main = findMainFrame(snapshot);
  const objects = findPageObjects(snapshot);
  return (
    objects.find((object) => object.type === 'document' && object.frame === main) ??
    objects.findLast(({ hops }) => hops.at(-1)?.isMainDocument && !hasLedNowhere(hops.at(-1)!)) ??
    null
  );
}

/** Base page latency: navigation start to the last byte of the base page's HTML, redirects included. */
export function measureBaseLatency(snapshot: Snapshot): Measurement {
  const document = findBasePage(snapshot);
  return document ? measureLatestEnd([document], findNavigationStart(snapshot)) : { reason: 'not-reached' };
}

/** Viewport latency: navigation start to the last byte of the last object that the initial viewport needs; never less than the base page latency. */
function measureViewportLatency(snapshot: Snapshot): Measurement {
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

/** Total page load latency: navigation start to the last byte of the base page and all its embedded objects. */
function measureTotalLatency(snapshot: Snapshot): Measurement {
  // Before the load event more objects may come, even if all have ended by now.
  if (!findMainFrame(snapshot).navigation?.loadEventStart) return { reason: 'not-reached' };
  return measureLatestEnd(findCountedObjects(snapshot), findNavigationStart(snapshot));
}

/** When the last of some objects ended; not reached while one of them is in flight. */
function measureLatestEnd(objects: readonly { endEpochMs: number | null }[], originEpochMs: number): Measurement {
  const ends = objects.map((object) => object.endEpochMs);
  const latest = ends.reduce<number | null>(
    (last, end) => (last === null || end === null ? null : Math.max(last, end)),
    originEpochMs,
  );
  return latest === null ? { reason: 'not-reached' } : { value: latest - originEpochMs };
}
