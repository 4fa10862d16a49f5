import type { Protocol } from 'puppeteer-core';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';

const types: Record<Protocol.Network.ResourceType, NetworkRequest['type']> = {
  Document: 'document',
  Stylesheet: 'style-sheet',
  Image: 'image',
  Media: 'media',
  Font: 'font',
  Script: 'script',
  TextTrack: 'other',
  XHR: 'fetch',
  Fetch: 'fetch',
  Prefetch: 'prefetch',
  EventSource: 'event-source',
  WebSocket: 'web-socket',
  Manifest: 'manifest',
  SignedExchange: 'other',
  Ping: 'ping',
  CSPViolationReport: 'ping',
  Preflight: 'preflight',
  FedCM: 'fetch',
  Other: 'other',
};

export function requestTypeOf({
  type = 'Other',
  initiator,
  request,
}: Protocol.Network.RequestWillBeSentEvent): NetworkRequest['type'] {
  // The type of one says `Other` too.
  if (initiator.type === 'preflight') return 'preflight';
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header: the type says `Other`.
  if (request.headers['Sec-Purpose']?.startsWith('prefetch')) return 'prefetch';
  // The browser's own wish, named by no element of the page: its icon.
  if (type === 'Other' && initiator.type === 'other') return 'icon';
  return types[type];
}
