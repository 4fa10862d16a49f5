import type { PageRequest } from './page-request.ts';

const accepts: Partial<Record<PageRequest['type'], string>> = {
  document: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'style-sheet': 'text/css,*/*;q=0.1',
  image: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
};

/** The header fields of a request, as Chrome sends them. */
export function describeRequest(
  url: URL,
  {
    type,
    referrer,
    userAgent,
    cookies,
  }: { type: PageRequest['type']; referrer: string | null; userAgent: string; cookies: string },
): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: accepts[type] ?? '*/*',
    // Browsers offer the newer codings over TLS only: some old proxies break them.
    'accept-encoding': url.protocol === 'https:' ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
    'accept-language': 'en-US,en;q=0.9',
    ...(referrer !== null && { referer: referrer }),
    ...(cookies !== '' && { cookie: cookies }),
    ...(type === 'document' && { 'upgrade-insecure-requests': '1' }),
  };
}
