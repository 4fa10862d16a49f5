import type { MetricId } from '../metrics/index.ts';
import type { NetworkRequest } from '../metrics/network-request.ts';
import type { HarResourceType } from './har.ts';

type RequestType = NetworkRequest['type'];

/** In the words of Chrome's DevTools, which sort by them. */
export const harTypes: Record<RequestType, HarResourceType> = {
  document: 'document',
  'style-sheet': 'stylesheet',
  script: 'script',
  image: 'image',
  font: 'font',
  media: 'media',
  fetch: 'fetch',
  'event-source': 'eventsource',
  'web-socket': 'websocket',
  ping: 'ping',
  prefetch: 'prefetch',
  preflight: 'preflight',
  manifest: 'manifest',
  icon: 'other',
  other: 'other',
};

const typesOfNames = new Map<string, RequestType>([
  ...Object.entries(harTypes).map(([type, name]) => [name, type as RequestType] as const),
  ['other', 'other'],
  ['xhr', 'fetch'],
]);

/** By the beginning of a media type, where nothing else is known. */
const typesOfMedia: readonly (readonly [RegExp, RequestType])[] = [
  [/^text\/html|^application\/xhtml/i, 'document'],
  [/^text\/css/i, 'style-sheet'],
  [/javascript|ecmascript/i, 'script'],
  [/^image\//i, 'image'],
  [/^font\/|font-?woff|x-font/i, 'font'],
  [/^(audio|video)\//i, 'media'],
  [/^application\/manifest/i, 'manifest'],
  [/json|^text\/plain/i, 'fetch'],
];

/** What kind of request an entry is of: by its own word, else by the type of its contents. */
export function readHarType(name: unknown, mimeType: string): RequestType {
  const named = typeof name === 'string' ? typesOfNames.get(name.toLowerCase()) : undefined;
  return named ?? typesOfMedia.find(([pattern]) => pattern.test(mimeType))?.[1] ?? 'other';
}

/** The moments that a waterfall has, by what browsers, tools and HTTP-AE call them. */
const moments: readonly (readonly [string, MetricId])[] = [
  ['onLoad', 'loadEventMs'],
  ['_firstContentfulPaint', 'firstContentfulPaintMs'],
  ['_largestContentfulPaint', 'largestContentfulPaintMs'],
  ['_firstContentfulPaintMs', 'firstContentfulPaintMs'],
  ['_largestContentfulPaintMs', 'largestContentfulPaintMs'],
  ['_baseMs', 'baseMs'],
  ['_viewportMs', 'viewportMs'],
  ['_totalMs', 'totalMs'],
];
const longestMs = 1e9;

/** The moments of a page, in ms from its first request, which was `shiftMs` before the time that they are counted from. */
export function readHarMoments(timings: Record<string, unknown>, shiftMs: number): Partial<Record<MetricId, number>> {
  return Object.fromEntries(
    moments.flatMap(([name, metric]) => {
      const ms = timings[name];
      return typeof ms === 'number' && ms >= 0 && ms < longestMs ? [[metric, ms + shiftMs]] : [];
    }),
  );
}

/** An instant in ISO 8601, to the microsecond: `Date` alone would cut it to the millisecond. */
export function formatInstant(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const microseconds = Math.floor((epochMs - wholeMs) * 1000);
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}
