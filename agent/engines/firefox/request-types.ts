import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import type { RequestEvent } from './network-events.ts';

/** https://fetch.spec.whatwg.org/#concept-request-destination */
const byDestination = new Map<string, NetworkRequest['type']>(
  Object.entries({
    document: 'document',
    iframe: 'document',
    frame: 'document',
    object: 'document',
    embed: 'document',
    style: 'style-sheet',
    script: 'script',
    worker: 'script',
    sharedworker: 'script',
    serviceworker: 'script',
    audioworklet: 'script',
    paintworklet: 'script',
    image: 'image',
    font: 'font',
    audio: 'media',
    video: 'media',
    track: 'other',
    manifest: 'manifest',
    report: 'ping',
  } as const),
);

export function requestTypeOf({ request, initiator }: RequestEvent): NetworkRequest['type'] {
  const { destination, initiatorType, headers } = request;
  // Firefox does not always say so itself; no script may set this header. https://fetch.spec.whatwg.org/#cors-preflight-fetch
  if (initiator?.type === 'preflight' || headers.has('access-control-request-method')) return 'preflight';
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
  if (headers.get('sec-purpose')?.startsWith('prefetch')) return 'prefetch';
  // The browser's own wish, named by no element of the page: its icon. A picture from the cache in memory has no headers either, and one of an early hint (103) says so.
  const isNamed = initiatorType !== null || headers.get('x-moz') === 'early hint';
  if (destination === 'image' && !isNamed && headers.size > 0) return 'icon';
  if (headers.has('sec-websocket-key')) return 'web-socket';
  if (headers.get('accept') === 'text/event-stream') return 'event-source';
  // Firefox gives neither `sendBeacon` nor `<a ping>` an initiator, and nothing else sends a body so.
  const isPing = initiatorType === null && destination === '' && request.method === 'POST';
  if (initiatorType === 'beacon' || isPing) return 'ping';
  if (initiatorType === 'fetch' || initiatorType === 'xmlhttprequest') return 'fetch';
  return byDestination.get(destination) ?? 'other';
}
