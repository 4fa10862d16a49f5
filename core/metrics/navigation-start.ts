import type { FrameSnapshot } from './frame-snapshot.ts';
import type { NetworkRequest } from './network-request.ts';
import { hasLedNowhere } from './request-outcome.ts';
import type { Snapshot } from './snapshot.ts';

/** The page itself. Throws when the Snapshot has no such frame. */
export function findMainFrame(snapshot: Snapshot): FrameSnapshot {
  const main = snapshot.frames.find((frame) => frame.path.length === 0);
  if (!main) throw new Error(`The Snapshot of ${snapshot.requestedUrl} has no main frame`);
  return main;
}

/**
 * The origin of time of all metrics (epoch ms): `performance.timeOrigin`. A page that sent itself elsewhere by script or
 * `<meta>` has had an earlier document, for which the user waited too: then the start of the first one's request, or of its navigation where a service worker answered it without one.
 */
export function findNavigationStart(snapshot: Snapshot): number {
  const { timeOrigin } = findMainFrame(snapshot);
  if (!hasLedElsewhere(snapshot)) return timeOrigin;
  const starts = [findFirstRequest(snapshot)?.startEpochMs, snapshot.documents?.[0]?.startEpochMs].filter(
    (start) => start !== undefined && start !== null,
  );
  return starts.length > 0 ? Math.min(...starts) : timeOrigin;
}

/**
 * Whether the page has had an earlier document: by its requests, and by its documents, as one that a service worker answers has no request in Firefox. A navigation that gave no page, as a
 * download, is none where the documents are known.
 */
export function hasLedElsewhere({ requests, documents }: Pick<Snapshot, 'requests' | 'documents'>): boolean {
  const lastHops = new Map(
    requests.filter(({ isMainDocument }) => isMainDocument).map((request) => [request.id, request]),
  );
  const navigations = [...lastHops.values()].filter((request) => documents === undefined || !hasLedNowhere(request));
  return navigations.length > 1 || (documents?.length ?? 0) > 1;
}

/** The first request for the page, before any redirect; null where the engine reports none. */
export function findFirstRequest(snapshot: Snapshot): NetworkRequest | null {
  const documents = snapshot.requests.filter((request) => request.isMainDocument);
  return documents.sort((a, b) => a.startEpochMs - b.startEpochMs || a.hop - b.hop)[0] ?? null;
}
