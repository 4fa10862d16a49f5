import type { NetworkRequest } from './snapshot.ts';

type RequestType = NetworkRequest['type'];

/** Requests that no user waits for, or that have no end: they never hold a page back from settling. */
const neverWaitedFor: ReadonlySet<RequestType> = new Set([
  'event-source',
  'web-socket',
  'ping',
  'media',
  'prefetch',
  'preflight',
  'manifest',
  'icon',
]);

/**
 * A frame that still awaits an image or a font when nothing has been in flight for this time, beyond `quietMs`, awaits what never comes: an image that the
 * browser must not load has no request, and is never complete.
 */
export const awaitedInVainMs = 2000;

export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream\b/i.test(contentType);
}

/**
 * Decides which requests a page must wait for before it has settled. After the load event, script fetches do the first time
 * their path is seen and never again, so that a page that polls settles.
 */
export class SettleRule {
  readonly #fetchedPaths = new Set<string>();

  delaysSettling(request: { type: RequestType; url: string; hasLoaded: boolean }): boolean {
    if (neverWaitedFor.has(request.type)) return false;
    if (request.type !== 'fetch') return true;
    const { origin, pathname } = new URL(request.url);
    const isFirst = !this.#fetchedPaths.has(origin + pathname);
    this.#fetchedPaths.add(origin + pathname);
    return isFirst || !request.hasLoaded;
  }
}
