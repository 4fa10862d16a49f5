import { NetworkRequestSchema, type NetworkRequest } from '../../metrics/network-request.ts';
import { mostFrames, mostRequests } from '../../metrics/snapshot-bounds.ts';
import type { Snapshot, VisitRemark } from '../../metrics/snapshot.ts';
import { withoutFragment } from '../../metrics/page-object.ts';
import { VisitFailure } from '../visit-failure.ts';
import { roundRequests } from '../../metrics/whole-microseconds.ts';
import type { PageDocument } from './page-documents.ts';

/** What a Snapshot takes. */
const mostDocuments = 1000;
const mostNamed = 5;

interface Activity {
  requests: readonly NetworkRequest[];
  documents: readonly PageDocument[];
  frames: Snapshot['frames'];
  takenEpochMs: number;
  /** What early hints named, where the browser may fetch it and report nothing. */
  hintedUrls?: readonly string[] | undefined;
  /** The addresses of frames within the page that did not answer, and are still there. */
  silentUrls?: readonly string[];
  /** Scripts that may be the page's, where the browser does not say whose they are. */
  unassignedUrls?: readonly string[];
}

/**
 * What a Snapshot has of a page's activity. A request with a value that is none is kept without it: no Visit is lost for one request. Throws a VisitFailure where there is
 * more of it than a Snapshot takes.
 */
export function describeActivity({
  requests,
  documents,
  frames,
  takenEpochMs,
  hintedUrls = [],
  silentUrls = [],
  unassignedUrls = [],
}: Activity): Pick<Snapshot, 'requests' | 'documents' | 'remarks'> {
  refuseTooMany(frames.length + silentUrls.length, 'frames', mostFrames);
  refuseTooMany(requests.length, 'requests', mostRequests);
  const kept = roundRequests(requests.flatMap((request) => completeRequest(structuredClone(request), takenEpochMs)));
  const remarks = listRemarks({
    requests: kept,
    dropped: requests.length - kept.length,
    frames,
    hintedUrls,
    silentUrls,
    unassignedUrls,
  });
  return {
    requests: kept,
    documents: documents
      .slice(-mostDocuments)
      .map(({ url, startEpochMs }) => ({ url: url.slice(0, 2048), startEpochMs })),
    ...(remarks.length > 0 && { remarks }),
  };
}

function refuseTooMany(count: number, things: string, most: number): void {
  if (count > most) throw new VisitFailure('too-large', `The page has ${count} ${things}; a Snapshot takes ${most}`);
}

/** Nothing where its address or kind is none. */
function completeRequest(request: NetworkRequest, takenEpochMs: number): NetworkRequest[] {
  const { error } = NetworkRequestSchema.safeParse(request);
  if (!error) return [request];
  const completed: Record<string, unknown> = { ...request, isIncomplete: true };
  for (const { path } of error.issues) {
    const [field] = path;
    // Not when it began, but no later.
    if (field === 'startEpochMs') completed.startEpochMs = Math.max(request.endEpochMs ?? 0, 0) || takenEpochMs;
    else if (field === 'exchange') delete completed.exchange;
    else completed[String(field)] = null;
  }
  const { data } = NetworkRequestSchema.safeParse(completed);
  return data ? [data] : [];
}

function listRemarks({
  requests,
  dropped,
  frames,
  hintedUrls,
  silentUrls,
  unassignedUrls,
}: Pick<Activity, 'frames'> & {
  requests: readonly NetworkRequest[];
  dropped: number;
  hintedUrls: readonly string[];
  silentUrls: readonly string[];
  unassignedUrls: readonly string[];
}): VisitRemark[] {
  const incomplete = requests.filter(({ isIncomplete }) => isIncomplete).length + dropped;
  const unread = requests.filter(({ endedBy }) => endedBy === 'last-data' || endedBy === 'never');
  const reported = new Set([
    ...requests.map(({ url }) => withoutFragment(url)),
    ...frames.flatMap(({ resources }) => resources.map(({ name }) => withoutFragment(name))),
  ]);
  const unused = hintedUrls.filter((url) => !reported.has(withoutFragment(url)));
  return [
    ...(incomplete > 0
      ? [
          {
            code: 'incomplete-requests' as const,
            detail: `The browser reported ${count(incomplete, 'request')} with values that are none: what is left of them counts`,
          },
        ]
      : []),
    ...(unread.length > 0
      ? [
          {
            code: 'unread-bodies' as const,
            detail: `The browser did not report the end of ${count(unread.length, 'answer')}, most often because no script reads it. Nothing came for 2 s, and what would come later does not count: ${nameUrls(unread.map(({ url }) => url))}`,
          },
        ]
      : []),
    ...(unused.length > 0
      ? [
          {
            code: 'unused-hints' as const,
            detail: `An early hint named ${count(unused.length, 'object')} that the page did not use. The browser may have fetched them, and reports nothing of it: ${nameUrls(unused)}`,
          },
        ]
      : []),
    ...(silentUrls.length > 0
      ? [
          {
            code: 'silent-frames' as const,
            detail: `${count(silentUrls.length, 'frame')} within the page did not answer. Of what they fetched only the network events are known, and the viewport needs nothing of them: ${nameUrls(silentUrls)}`,
          },
        ]
      : []),
    ...(unassignedUrls.length > 0
      ? [
          {
            code: 'unassigned-scripts' as const,
            detail: `Workers of workers, or a service worker, fetched ${count(unassignedUrls.length, 'script')}. The browser does not say for which page, so no page has it: ${nameUrls(unassignedUrls)}`,
          },
        ]
      : []),
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function nameUrls(urls: readonly string[]): string {
  const named = urls.slice(0, mostNamed).map((url) => url.slice(0, 256));
  return urls.length > mostNamed ? `${named.join(', ')} and others` : named.join(', ');
}
