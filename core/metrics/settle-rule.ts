import type { NetworkRequest } from './network-request.ts';

type RequestType = NetworkRequest['type'];

/** Requests that no user waits for, or that have no end: they never hold a page back from settling, and no latency counts them. */
export const neverWaitedFor: ReadonlySet<RequestType> = new Set([
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

/** The type of a request whose answer is a stream without an end, which only its content type shows; null of any other. */
export function typeOfStream(type: RequestType, contentType: string): RequestType | null {
  if (type === 'fetch' && /^text\/event-stream\b/i.test(contentType)) return 'event-source';
  // The pictures of a camera, each of which takes the place of the one before. https://html.spec.whatwg.org/#read-multipart-x-mixed-replace
  return type !== 'document' && /^multipart\/x-mixed-replace\b/i.test(contentType) ? 'media' : null;
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
