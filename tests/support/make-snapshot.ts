import type { Snapshot } from '#core/metrics/snapshot.ts';

const navigationStartEpochMs = 1_800_000_000_000;

/** A settled page of one document and nothing else, whose last byte came `totalMs` after navigation start. */
export function makeSnapshot({ url, totalMs }: { url: string; totalMs: number }): Snapshot {
  const entry = {
    name: url,
    startTime: 0,
    redirectStart: 0,
    redirectEnd: 0,
    fetchStart: 1,
    domainLookupStart: 1,
    domainLookupEnd: 2,
    connectStart: 2,
    connectEnd: 4,
    secureConnectionStart: 0,
    requestStart: 5,
    responseStart: totalMs - 10,
    responseEnd: totalMs,
    nextHopProtocol: 'http/1.1',
    transferSize: 700,
    encodedBodySize: 400,
    decodedBodySize: 400,
    responseStatus: 200,
  };
  return {
    version: 1,
    requestedUrl: url,
    viewport: { widthPx: 1366, heightPx: 768 },
    settled: true,
    takenEpochMs: navigationStartEpochMs + totalMs + 600,
    frames: [
      {
        path: [],
        url,
        title: 'A page',
        timeOrigin: navigationStartEpochMs,
        visibilityState: 'visible',
        wasEverHidden: false,
        navigation: {
          ...entry,
          type: 'navigate',
          redirectCount: 0,
          domInteractive: totalMs + 1,
          domContentLoadedEventStart: totalMs + 1,
          domContentLoadedEventEnd: totalMs + 1,
          loadEventStart: totalMs + 2,
          loadEventEnd: totalMs + 2,
          legacyResponseEndEpochMs: null,
        },
        firstPaintMs: totalMs + 3,
        firstContentfulPaintMs: null,
        largestContentfulPaintMs: null,
        resources: [],
        prefetchUrls: [],
        viewportNeeds: [],
        opaqueStyleSheets: [],
        undeclaredFontFamilies: [],
        declaredFontUrls: [],
      },
    ],
    requests: [],
  };
}
