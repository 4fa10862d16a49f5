import type { ActivityEvent, RequestEnd, RequestPlace } from '#core/agent/page-activity/activity-event.ts';
import { PageActivity } from '#core/agent/page-activity/page-activity.ts';
import { beginRequest } from '#core/metrics/request-outcome.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';

/** The page's own frame, in tests. */
export const main = 'main';
/** When the page begins to load. */
export const startEpochMs = 1_800_000_000_000;

interface Begun extends Partial<RequestPlace> {
  type?: NetworkRequest['type'];
  hop?: number;
  url?: string;
}

/** A request that begins so many ms after the page. That of the page itself is called after its document. */
export function began(id: string, atMs: number, { type = 'fetch', hop = 0, url, ...place }: Begun = {}): ActivityEvent {
  return {
    kind: 'request-began',
    request: beginRequest({
      id,
      hop,
      url: url ?? `http://origin.test/${id}`,
      type,
      isMainDocument: type === 'document' && (place.frameId ?? main) === main && !place.isPrerendered,
      startEpochMs: startEpochMs + atMs,
    }),
    place: { frameId: main, documentId: type === 'document' ? id : 'page', ...place },
  };
}

export function answered(id: string, atMs: number, status = 200, expectedBytes: number | null = null): ActivityEvent {
  return {
    kind: 'answer-came',
    id,
    fields: { status, responseEpochMs: startEpochMs + atMs },
    expectedBytes,
    headBytes: 100,
  };
}

export function data(id: string, atMs: number, bytes: number): ActivityEvent {
  return { kind: 'data-came', id, atEpochMs: startEpochMs + atMs, encodedBytes: bytes, decodedBytes: bytes };
}

export function ended(
  id: string,
  atMs: number,
  failure: string | null = null,
  more: Partial<RequestEnd> = {},
): ActivityEvent {
  return {
    kind: 'request-ended',
    id,
    end: { atEpochMs: startEpochMs + atMs, by: 'network', failure, ...more },
  };
}

export function came(
  documentId: string | null,
  atMs: number,
  { frameId = main, url }: { frameId?: string; url?: string } = {},
): ActivityEvent {
  return {
    kind: 'document-came',
    frameId,
    documentId,
    url: url ?? `http://origin.test/${documentId ?? ''}`,
    atEpochMs: startEpochMs + atMs,
  };
}

export const loaded: ActivityEvent = { kind: 'loaded' };

/** A page that came whole 20 ms after it was asked for. */
export const page: readonly ActivityEvent[] = [
  began('page', 0, { type: 'document' }),
  answered('page', 10),
  came('page', 12),
  ended('page', 20, null, { receivedBytes: 500 }),
];

export function play(...events: readonly ActivityEvent[]): PageActivity {
  const activity = new PageActivity(main);
  for (const event of structuredClone(events)) activity.apply(event);
  return activity;
}

/** The ends of all requests, by id: ms after the page began, and what showed it. */
export function endsOf(activity: PageActivity): Record<string, [number | null, string]> {
  return Object.fromEntries(
    activity.requests.map(({ id, endEpochMs, endedBy = 'network' }) => [
      id,
      [
        endEpochMs === null ? null : endEpochMs - startEpochMs,
        endEpochMs === null && endedBy === 'network' ? 'none' : endedBy,
      ],
    ]),
  );
}
