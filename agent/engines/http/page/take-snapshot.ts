import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { roundRequests, toMicroseconds } from '#core/metrics/whole-microseconds.ts';
import type { FetchedObject } from '../fetch/hop.ts';
import type { PageFetcher } from '../fetch/page-fetcher.ts';
import { describeNavigation, describeResource } from '../fetch/timing-entry.ts';
import type { UnusedPushes } from '../network/pushed-answers.ts';
import type { FrameLoad } from './frame-load.ts';
import type { LoadingPage } from './loading-page.ts';

export interface SnapshotParts {
  requestedUrl: string;
  fetcher: PageFetcher;
  settled: boolean;
  takenEpochMs: number;
  unusedPushes: UnusedPushes;
}

/** What is known of a page, whole or not. Nothing is laid out: there is no viewport, and nothing was painted. */
export function takeSnapshot(
  page: LoadingPage,
  { requestedUrl, fetcher, settled, takenEpochMs, unusedPushes }: SnapshotParts,
): Snapshot {
  return {
    version: 1,
    requestedUrl,
    viewport: null,
    settled,
    takenEpochMs,
    frames: page.frames.map((frame) => describeFrame(frame, page.loadedEpochMs)),
    requests: roundRequests(structuredClone(fetcher.requests)),
    unusedPushes,
  };
}

function describeFrame(frame: FrameLoad, loadedEpochMs: number): FrameSnapshot {
  const timeOrigin = toMicroseconds(frame.options.timeOrigin);
  const { fetched, parsedEpochMs, url, title, resources } = frame;
  return {
    path: [...frame.options.path],
    url,
    title: title.slice(0, 1024),
    timeOrigin,
    visibilityState: 'visible',
    wasEverHidden: false,
    navigation: fetched && describeNavigation(fetched, { timeOrigin, times: { parsedEpochMs, loadedEpochMs } }),
    firstPaintMs: null,
    firstContentfulPaintMs: null,
    largestContentfulPaintMs: null,
    resources: resources.filter(hasAnswer).map((resource) => describeResource(resource, timeOrigin)),
    prefetchUrls: [],
    viewportNeeds: null,
    opaqueStyleSheets: [],
    undeclaredFontFamilies: [],
    declaredFontUrls: [],
  };
}

/** Of what failed without one the engine's own record shows enough. */
function hasAnswer({ hops }: FetchedObject): boolean {
  return hops.at(-1)!.request.responseEpochMs !== null;
}
