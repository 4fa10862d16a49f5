import type { WebRequest } from 'webextension-polyfill';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/webRequest/ResourceType; what is not here is `other`. */
const types: Partial<Record<WebRequest.ResourceType, NetworkRequest['type']>> = {
  main_frame: 'document',
  sub_frame: 'document',
  stylesheet: 'style-sheet',
  script: 'script',
  image: 'image',
  imageset: 'image',
  font: 'font',
  media: 'media',
  xmlhttprequest: 'fetch',
  websocket: 'web-socket',
  ping: 'ping',
  beacon: 'ping',
  csp_report: 'ping',
  web_manifest: 'manifest',
  speculative: 'prefetch',
};

export function requestTypeOf(type: WebRequest.ResourceType): NetworkRequest['type'] {
  return types[type] ?? 'other';
}

/** The type that only the headers show, both in Chrome and in Firefox; null where they show none. */
export function requestTypeOfHeaders(
  headers: readonly WebRequest.HttpHeadersItemType[],
): NetworkRequest['type'] | null {
  const valueOf = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  // Firefox reports it as a request of the script; no script may set this header. https://fetch.spec.whatwg.org/#cors-preflight-fetch
  if (valueOf('access-control-request-method') !== '') return 'preflight';
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
  if (valueOf('sec-purpose').startsWith('prefetch') || valueOf('x-moz') === 'prefetch') return 'prefetch';
  // https://html.spec.whatwg.org/#the-eventsource-interface
  return valueOf('accept') === 'text/event-stream' ? 'event-source' : null;
}
