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

/** The parts of a timing entry that both resources and the navigation have, as plain data. */
function describeTiming(entry: PerformanceResourceTiming & FinalResponse) {
  const { finalResponseHeadersStart = 0 } = entry;
  return {
    name: shortenUrl(entry.name),
    startTime: entry.startTime,
    redirectStart: entry.redirectStart,
    redirectEnd: entry.redirectEnd,
    fetchStart: entry.fetchStart,
    domainLookupStart: entry.domainLookupStart,
    domainLookupEnd: entry.domainLookupEnd,
    connectStart: entry.connectStart,
    connectEnd: entry.connectEnd,
    secureConnectionStart: entry.secureConnectionStart,
    requestStart: entry.requestStart,
    responseStart: entry.responseStart,
    ...(finalResponseHeadersStart > entry.responseStart && { finalResponseHeadersStart }),
    responseEnd: entry.responseEnd,
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
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!entry) return null;
  return {
    ...describeTiming(entry),
    type: entry.type,
    redirectCount: entry.redirectCount,
    domInteractive: entry.domInteractive,
    domContentLoadedEventStart: entry.domContentLoadedEventStart,
    domContentLoadedEventEnd: entry.domContentLoadedEventEnd,
    loadEventStart: entry.loadEventStart,
    loadEventEnd: entry.loadEventEnd,
    legacyResponseEndEpochMs: readLegacyResponseEnd(),
  };
}

/** Deprecated, and read all the same: the only right value in Firefox. */
function readLegacyResponseEnd(): number | null {
  const { timing } = performance as { timing?: { responseEnd: number } };
  return timing?.responseEnd ? timing.responseEnd : null;
}
