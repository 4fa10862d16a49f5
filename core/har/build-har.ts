import type { Filmstrip } from '../protocol/filmstrip.ts';
import { deriveReadings } from '../metrics/derive-readings.ts';
import { findNavigationStart, findMainFrame } from '../metrics/navigation-start.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import { buildEntry } from './build-entry.ts';
import { redactUrl } from './redact-url.ts';
import { formatInstant } from './format-instant.ts';
import type { Har, HarPage } from './har.ts';

/** What is known of the Visit that a HAR is of, beside its Snapshot. */
export interface HarVisit {
  id: string;
  /** What pairs it with Visits of other Scenarios; without it, the address that was requested. */
  page?: string;
  /** Run, Block, Scenario and User Agent, in words. */
  description: string;
  /** Controller clock minus Agent clock: the HARs of several users share the Controller's. */
  clockOffsetMs: number;
  filmstrip?: Filmstrip | null;
}

/**
 * The HTTP Archive of one Visit. It is made from the Snapshot when somebody asks for it, so that it costs the measurement nothing; headers are in it
 * where they were recorded. What an engine does not report is −1 or empty, and a comment says so.
 */
export function buildHar(
  snapshot: Snapshot,
  { visit, creatorVersion }: { visit: HarVisit; creatorVersion: string },
): Har {
  const place = { pageId: 'page_1', clockOffsetMs: visit.clockOffsetMs, takenEpochMs: snapshot.takenEpochMs };
  const requests = snapshot.requests.toSorted((a, b) => a.startEpochMs - b.startEpochMs || a.hop - b.hop);
  const nextHops = new Map(requests.map((request) => [`${request.id} ${request.hop}`, request.url]));
  const hasHeaders = requests.some(({ exchange }) => exchange?.headers);
  return {
    log: {
      version: '1.2',
      creator: { name: 'HTTP-AE', version: creatorVersion },
      pages: [describePage(snapshot, visit, place.pageId)],
      entries: requests.map((request) =>
        buildEntry(request, { ...place, redirectUrl: nextHops.get(`${request.id} ${request.hop + 1}`) ?? '' }),
      ),
      comment: hasHeaders
        ? 'Headers and URLs have no values of cookies, passwords, keys and tokens. Bodies are not kept.'
        : 'Headers were not recorded: "artefacts: { har: true }" in the Evaluation records them. Bodies are not kept.',
    },
  };
}

function describePage(snapshot: Snapshot, visit: HarVisit, id: string): HarPage {
  const main = findMainFrame(snapshot);
  const startEpochMs = findNavigationStart(snapshot);
  const sinceStart = (frameMs: number | undefined) => (frameMs ? frameMs + (main.timeOrigin - startEpochMs) : -1);
  const readings = deriveReadings(snapshot, visit.filmstrip).flatMap((reading) =>
    reading.kind === 'measured' ? [[`_${reading.metric}`, reading.value] as const] : [],
  );
  return {
    startedDateTime: formatInstant(startEpochMs + visit.clockOffsetMs),
    id,
    title: redactUrl(snapshot.requestedUrl),
    pageTimings: {
      onContentLoad: sinceStart(main.navigation?.domContentLoadedEventStart),
      onLoad: sinceStart(main.navigation?.loadEventStart),
      ...Object.fromEntries(readings),
    },
    comment: visit.description,
    _visitId: visit.id,
    ...(visit.page !== undefined && visit.page !== snapshot.requestedUrl && { _page: redactUrl(visit.page) }),
    _settled: snapshot.settled,
  };
}
