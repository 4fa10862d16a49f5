import type { Measured, Measurement, Metrics } from './metric-definition.ts';
import { measureNavigationPhases } from './navigation-phases.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Snapshot } from './snapshot.ts';

/** When the page was drawn. */
export const paints = {
  firstPaintMs: {
    unit: 'ms',
    label: 'First paint',
    definition: 'Navigation start to the first paint.',
    source: 'Paint Timing, W3C',
    since: 0,
  },
  firstContentfulPaintMs: {
    unit: 'ms',
    label: 'First contentful paint',
    definition:
      'Navigation start to the first paint with content. It may come after the total latency, as the page is drawn after it is received.',
    source: 'Paint Timing, W3C',
    since: 0,
    section: 'rendering',
  },
  largestContentfulPaintMs: {
    unit: 'ms',
    label: 'Largest contentful paint',
    definition: 'Navigation start to the paint of the largest content before any input.',
    source: 'Largest Contentful Paint, W3C',
    since: 0,
    section: 'rendering',
  },
} as const satisfies Metrics;

/** https://w3c.github.io/paint-timing/, https://w3c.github.io/largest-contentful-paint/ */
export function measurePaints(snapshot: Snapshot): Measured<typeof paints> {
  const main = findMainFrame(snapshot);
  const sinceStartMs = main.timeOrigin - findNavigationStart(snapshot);
  const at = (time: number | null): Measurement => {
    if (snapshot.viewport === null) return { reason: 'unsupported' };
    // A page that was loaded ahead is painted, and seen by nobody before it is shown.
    if (time !== null) return { value: sinceStartMs + Math.max(time, main.navigation?.activationStart ?? 0) };
    return { reason: main.wasEverHidden ? 'page-hidden' : 'not-reached' };
  };
  return {
    // Firefox reports the first contentful paint only, which no first paint can come after.
    firstPaintMs:
      main.firstPaintMs === null && main.firstContentfulPaintMs !== null
        ? { reason: 'unsupported' }
        : at(main.firstPaintMs),
    firstContentfulPaintMs: at(main.firstContentfulPaintMs),
    largestContentfulPaintMs: at(main.largestContentfulPaintMs),
  };
}

/** What the largest contentful paint waited for after the first byte. */
export const largestPaintParts = {
  lcpResourceDelayMs: {
    unit: 'ms',
    label: 'Largest paint: resource delay',
    definition: 'Time to first byte to the request for the image of the largest contentful paint; 0 for text.',
    source: 'web-vitals 5, resourceLoadDelay',
    since: 5,
  },
  lcpResourceMs: {
    unit: 'ms',
    label: 'Largest paint: resource load',
    definition: 'Request for the image of the largest contentful paint to its last byte; 0 for text.',
    source: 'web-vitals 5, resourceLoadDuration',
    since: 5,
  },
  lcpRenderDelayMs: {
    unit: 'ms',
    label: 'Largest paint: render delay',
    definition: 'Last byte of the image, or time to first byte for text, to the largest contentful paint.',
    source: 'web-vitals 5, elementRenderDelay',
    since: 5,
  },
} as const satisfies Metrics;

/**
 * What the largest contentful paint waited for after the first byte, as web-vitals divides it: with the time to first byte, the parts add up to it.
 * https://web.dev/articles/optimize-lcp#lcp-breakdown, https://github.com/GoogleChrome/web-vitals/blob/v5.1.0/src/attribution/onLCP.ts
 */
export function measureLargestPaintParts(snapshot: Snapshot): Measured<typeof largestPaintParts> {
  const paint = measurePaints(snapshot).largestContentfulPaintMs;
  const firstByte = measureNavigationPhases(snapshot).firstByteMs;
  const { largestContentfulPaintUrl: url, resources, timeOrigin } = findMainFrame(snapshot);
  const all = (measurement: Measurement) => ({
    lcpResourceDelayMs: measurement,
    lcpResourceMs: measurement,
    lcpRenderDelayMs: measurement,
  });
  if ('reason' in paint) return all(paint);
  if ('reason' in firstByte) return all(firstByte);
  if (url === undefined) return all({ reason: 'unsupported' });
  const entry = url === null ? undefined : resources.find(({ name }) => name === url);
  // An image in the page’s own text has no request.
  if (url !== null && !url.startsWith('data:') && !entry) return all({ reason: 'timing-hidden' });
  const sinceStartMs = timeOrigin - findNavigationStart(snapshot);
  const at = (ms: number | undefined) => (ms ? sinceStartMs + ms : 0);
  const requestMs = Math.max(firstByte.value, at(entry?.requestStart || entry?.startTime));
  const endMs = Math.min(paint.value, Math.max(requestMs, at(entry?.responseEnd)));
  return {
    lcpResourceDelayMs: { value: requestMs - firstByte.value },
    lcpResourceMs: { value: endMs - requestMs },
    lcpRenderDelayMs: { value: paint.value - endMs },
  };
}
