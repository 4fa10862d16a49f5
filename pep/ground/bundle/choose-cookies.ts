import { CookieJar } from 'tough-cookie';
import { findHeader } from '../../exchange/header-list.ts';
import type { RequestHead } from '../../exchange/heads.ts';

interface Known {
  page: RequestHead;
  /** Set-Cookie of the page's answer. */
  setCookies: readonly string[];
}

/**
 * The Cookie field that a browser would send, as far as can be known: those of the page's host, and what the page has just set. Empty for
 * none. Which of a page by https are `Secure`, its browser does not say: none goes out in clear.
 */
export function chooseCookies({ page, setCookies }: Known, url: URL): string {
  const pageUrl = new URL(page.url);
  if (pageUrl.protocol === 'https:' && url.protocol !== 'https:') return '';
  const sent = findHeader(page.headers, 'cookie') ?? '';
  if (setCookies.length === 0) return url.hostname === pageUrl.hostname ? sent : '';
  const jar = new CookieJar(undefined, { looseMode: true });
  const set = (text: string) => {
    jar.setCookieSync(text, page.url, { ignoreError: true });
  };
  // Where a cookie is valid, its browser does not say: most are for the whole host.
  for (const pair of sent.split('; ')) if (pair !== '') set(`${pair}; Path=/`);
  for (const text of setCookies) set(text);
  return jar.getCookieStringSync(url.href);
}
