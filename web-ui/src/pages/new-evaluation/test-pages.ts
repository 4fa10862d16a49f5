import type { UrlEntry } from '#core/evaluation/pages/url-list.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import type { ComparisonKind } from './comparisons.ts';

/** Those of the test pages to begin with, as an address to change. Each object waits for 50 ms, as over a network: without it, loads on one machine hardly differ. */
export function suggestTestPages({ httpUrl, http2Url }: HostOrigin, kind: ComparisonKind): string {
  return `${kind === 'protocols' ? http2Url : httpUrl}/images/{5..25..10}?delayMs=50`;
}

/** With the number of images as a variable, which figures have as an axis. Other addresses stay as they are. */
export function nameTestPages(urls: readonly UrlEntry[], { httpUrl, http2Url }: HostOrigin): UrlEntry[] {
  return urls.map((entry) =>
    [httpUrl, http2Url].some((base) => entry.url.startsWith(`${base}/images/{`))
      ? { ...entry, label: '{1} images', variables: { images: '{1}' } }
      : entry,
  );
}

/** Whether a browser must trust the key of the origin to load one of these. */
export function needsOriginKey(urls: readonly UrlEntry[], { http2Url }: HostOrigin): boolean {
  return urls.some(({ url }) => url.startsWith(`${http2Url}/`));
}
