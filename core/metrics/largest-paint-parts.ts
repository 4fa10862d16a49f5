import type { MetricId } from './catalogue.ts';
import { measureNavigationPhases } from './navigation-phases.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import { measurePaints } from './paints.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

type PartId = Extract<MetricId, 'lcpResourceDelayMs' | 'lcpResourceMs' | 'lcpRenderDelayMs'>;

/**
 * What the largest contentful paint waited for after the first byte, as web-vitals divides it: with the time to first byte, the parts add up to it.
 * https://web.dev/articles/optimize-lcp#lcp-breakdown, https://github.com/GoogleChrome/web-vitals/blob/v5.1.0/src/attribution/onLCP.ts
 */
export function measureLargestPaintParts(snapshot: Snapshot): Record<PartId, Measurement> {
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
