import type { NavigationEntry, ResourceEntry } from '#core/metrics/snapshot.ts';
import { shortenUrl } from './shorten-url.ts';

/** Newer than the types that TypeScript knows. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-renderblockingstatus */
interface RenderBlockingStatus {
  renderBlockingStatus?: 'blocking' | 'non-blocking';
}

/** Likewise. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-finalresponseheadersstart */
interface FinalResponse {
  finalResponseHeadersStart?: number;
}

/** Likewise. https://wicg.github.io/nav-speculation/prerendering.html#performance-navigation-timing-extension */
interface Activation {
  activationStart?: number;
}

/** As that of `core/metrics/whole-microseconds.ts`: the probe imports types only. */
const toMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000;

/** The parts of a timing entry that both resources and the navigation have, as plain data. */
function describeTiming(entry: PerformanceResourceTiming & FinalResponse) {
  const { finalResponseHeadersStart = 0 } = entry;
  return {
    name: shortenUrl(entry.name),
    startTime: toMicroseconds(entry.startTime),
    redirectStart: toMicroseconds(entry.redirectStart),
    redirectEnd: toMicroseconds(entry.redirectEnd),
    fetchStart: toMicroseconds(entry.fetchStart),
    domainLookupStart: toMicroseconds(entry.domainLookupStart),
    domainLookupEnd: toMicroseconds(entry.domainLookupEnd),
    connectStart: toMicroseconds(entry.connectStart),
    connectEnd: toMicroseconds(entry.connectEnd),
    secureConnectionStart: toMicroseconds(entry.secureConnectionStart),
    requestStart: toMicroseconds(entry.requestStart),
    responseStart: toMicroseconds(entry.responseStart),
    ...(finalResponseHeadersStart > entry.responseStart && {
      finalResponseHeadersStart: toMicroseconds(finalResponseHeadersStart),
    }),
    responseEnd: toMicroseconds(entry.responseEnd),
    nextHopProtocol: entry.nextHopProtocol,
    transferSize: entry.transferSize,
    encodedBodySize: entry.encodedBodySize,
    decodedBodySize: entry.decodedBodySize,
    responseStatus: entry.responseStatus || null,
  };
}

export function describeResource(entry: PerformanceResourceTiming & RenderBlockingStatus): ResourceEntry {
  return {
    ...describeTiming(entry),
    initiatorType: entry.initiatorType,
    renderBlockingStatus: entry.renderBlockingStatus ?? null,
  };
}

export function describeNavigation(): NavigationEntry | null {
  const [entry] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & Activation)[];
  if (!entry) return null;
  return {
    ...describeTiming(entry),
    type: entry.type,
    redirectCount: entry.redirectCount,
    domInteractive: toMicroseconds(entry.domInteractive),
    domContentLoadedEventStart: toMicroseconds(entry.domContentLoadedEventStart),
    domContentLoadedEventEnd: toMicroseconds(entry.domContentLoadedEventEnd),
    loadEventStart: toMicroseconds(entry.loadEventStart),
    loadEventEnd: toMicroseconds(entry.loadEventEnd),
    ...(entry.activationStart && { activationStart: toMicroseconds(entry.activationStart) }),
    legacyResponseEndEpochMs: readLegacyResponseEnd(),
  };
}

/** Deprecated, and read all the same: the only right value in Firefox. */
function readLegacyResponseEnd(): number | null {
  const { timing } = performance as { timing?: { responseEnd: number } };
  return timing?.responseEnd ? timing.responseEnd : null;
}
