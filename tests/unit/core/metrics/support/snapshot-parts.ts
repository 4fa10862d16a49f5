import type { FrameSnapshot, NavigationEntry, ResourceEntry, ViewportNeed } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';

export const startEpochMs = 1_800_000_000_000;
export const pageUrl = 'http://origin.test/';

const timing = {
  startTime: 0,
  redirectStart: 0,
  redirectEnd: 0,
  fetchStart: 1,
  domainLookupStart: 2,
  domainLookupEnd: 5,
  connectStart: 5,
  connectEnd: 9,
  secureConnectionStart: 0,
  requestStart: 10,
  responseStart: 30,
  responseEnd: 100,
  nextHopProtocol: 'http/1.1',
  transferSize: 1300,
  encodedBodySize: 1000,
  decodedBodySize: 2000,
  responseStatus: 200,
};

export function makeNavigation(parts: Partial<NavigationEntry> = {}): NavigationEntry {
  return {
    ...timing,
    name: pageUrl,
    type: 'navigate',
    redirectCount: 0,
    domInteractive: 110,
    domContentLoadedEventStart: 110,
    domContentLoadedEventEnd: 111,
    loadEventStart: 300,
    loadEventEnd: 301,
    legacyResponseEndEpochMs: null,
    ...parts,
  };
}

export function makeResource(parts: Partial<ResourceEntry> & { name: string }): ResourceEntry {
  return {
    ...timing,
    startTime: 40,
    responseEnd: 150,
    initiatorType: 'img',
    renderBlockingStatus: 'non-blocking',
    ...parts,
  };
}

export function makeNeed(parts: Partial<ViewportNeed> & { url: string }): ViewportNeed {
  return {
    kind: 'image',
    areaPx: 100,
    elementEventMs: null,
    failed: false,
    pending: false,
    frameIndex: null,
    ...parts,
  };
}

export function makeFrame(parts: Partial<FrameSnapshot> = {}): FrameSnapshot {
  return {
    path: [],
    url: pageUrl,
    title: '',
    timeOrigin: startEpochMs,
    visibilityState: 'visible',
    wasEverHidden: false,
    navigation: makeNavigation(),
    firstPaintMs: 120,
    firstContentfulPaintMs: 121,
    largestContentfulPaintMs: 160,
    resources: [],
    prefetchUrls: [],
    viewportNeeds: [],
    opaqueStyleSheets: [],
    undeclaredFontFamilies: [],
    declaredFontUrls: [],
    ...parts,
  };
}

/** A request of an image that started and ended so many milliseconds after navigation start. */
export function makeRequest({
  startMs = 40,
  endMs = 150,
  ...parts
}: Partial<NetworkRequest> & { url: string; startMs?: number; endMs?: number | null }): NetworkRequest {
  return {
    id: parts.url,
    hop: 0,
    type: 'image',
    isMainDocument: false,
    isRenderBlocking: null,
    initiatorUrl: pageUrl,
    startEpochMs: startEpochMs + startMs,
    sentEpochMs: startEpochMs + startMs + 1,
    responseEpochMs: startEpochMs + startMs + 10,
    endEpochMs: endMs === null ? null : startEpochMs + endMs,
    failure: null,
    status: 200,
    protocol: 'http/1.1',
    connectionId: '1',
    fromCache: false,
    receivedBytes: 1300,
    decodedBytes: 2000,
    ...parts,
  };
}

export function makeSnapshot(parts: Partial<Snapshot> = {}): Snapshot {
  return {
    version: 1,
    requestedUrl: pageUrl,
    viewport: { widthPx: 1366, heightPx: 768 },
    settled: true,
    takenEpochMs: startEpochMs + 2000,
    frames: [makeFrame()],
    requests: [],
    ...parts,
  };
}
