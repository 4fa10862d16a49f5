import { chooseReferrer, type Referrer } from '#core/page-objects/choose-referrer.ts';
import type { ObjectType } from '#core/page-objects/wish.ts';
import { findHeader, listPairs, listValues } from '#core/http1/header-list.ts';
import type { RequestHead } from '../../exchange/heads.ts';
import { BrowserCookies } from '#core/page-objects/cookie-jar.ts';

/** The page for which something is fetched ahead. */
export interface PageRequest {
  head: RequestHead;
  /** Set-Cookie of its answer. */
  setCookies: readonly string[];
}

export interface Wanted {
  url: string;
  type: ObjectType;
  /** The document or style sheet that names it. */
  referrer: Referrer;
}

/** Of the page alone, or made for each object. */
const notInherited = new Set([
  'host',
  'accept',
  'cookie',
  'authorization',
  'referer',
  'origin',
  'cache-control',
  'pragma',
  'priority',
  'upgrade-insecure-requests',
  'content-type',
  'content-length',
  'expect',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
]);

/** What a browser that says it of a page says of all that it shows. */
const ofWholePage = new Set(['no-cache', 'no-transform']);

/** What all sites see of a browser. Client hints: https://wicg.github.io/client-hints-infrastructure/#low-entropy-hint-table */
const ofBrowser = new Set([
  'user-agent',
  'accept-language',
  'accept-encoding',
  'dnt',
  'sec-gpc',
  'save-data',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
]);

const destinations: Partial<Record<ObjectType, string>> = {
  document: 'iframe',
  'style-sheet': 'style',
  script: 'script',
  image: 'image',
  font: 'font',
};

/** What a browser would ask, that asked for the page in this way. The other end compares it with what the browser asks in the end. */
export function deriveRequest(pageRequest: PageRequest, wanted: Wanted): RequestHead {
  const { head: page } = pageRequest;
  const url = new URL(wanted.url);
  const pageUrl = new URL(page.url);
  const isSameOrigin = url.origin === pageUrl.origin;
  const inherited = listPairs(page.headers).filter(([name]) => {
    const lower = name.toLowerCase();
    // What else a page was asked with may be a secret of its site.
    return isSameOrigin ? !notInherited.has(lower) && !lower.startsWith('sec-fetch-') : ofBrowser.has(lower);
  });
  const control = listValues(page.headers, 'cache-control').filter((each) => ofWholePage.has(each.toLowerCase()));
  const authorization = isSameOrigin ? findHeader(page.headers, 'authorization') : null;
  const referrer = chooseReferrer(wanted.referrer, url);
  const cookies = chooseCookies(pageRequest, url);
  return {
    kind: 'request',
    user: page.user,
    version: '1.1',
    method: 'GET',
    url: url.href,
    hasBody: false,
    isUpgrade: false,
    headers: [
      ...['Host', url.host],
      ...inherited.flat(),
      ...['Accept', chooseAccept(wanted.type, page)],
      ...(control.length === 0 ? [] : ['Cache-Control', control.join(', ')]),
      ...(findHeader(page.headers, 'sec-fetch-dest') === null ? [] : describeFetch(wanted.type, isSameOrigin)),
      ...(authorization === null ? [] : ['Authorization', authorization]),
      ...(referrer === null ? [] : ['Referer', referrer]),
      ...(cookies === '' ? [] : ['Cookie', cookies]),
    ],
  };
}

/** https://w3c.github.io/webappsec-fetch-metadata/. Which sites belong together only a list knows: others count as foreign. */
function describeFetch(type: ObjectType, isSameOrigin: boolean): string[] {
  const mode = type === 'document' ? 'navigate' : type === 'font' ? 'cors' : 'no-cors';
  return [
    ...['Sec-Fetch-Site', isSameOrigin ? 'same-origin' : 'cross-site'],
    ...['Sec-Fetch-Mode', mode],
    ...['Sec-Fetch-Dest', destinations[type] ?? 'empty'],
  ];
}

/** As Chrome and Firefox say it. An answer that varies by it is used only if it is what the browser says. */
function chooseAccept(type: ObjectType, { headers }: RequestHead): string {
  const ofPage = findHeader(headers, 'accept') ?? '*/*';
  switch (type) {
    case 'image': {
      // Chrome lists the same formats for pages as for images. Firefox lists none there.
      const formats = ofPage.split(',').filter((each) => /^image\/[\w-]+$/.test(each));
      return formats.length === 0
        ? 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'
        : [...formats, 'image/svg+xml', 'image/*', '*/*;q=0.8'].join(',');
    }
    case 'style-sheet':
      return 'text/css,*/*;q=0.1';
    case 'document':
      return ofPage;
    default:
      return '*/*';
  }
}

/**
 * The Cookie field that a browser would send, as far as can be known: those of the page's host, and what the page has just set. Empty for
 * none. Which of a page by https are `Secure`, its browser does not say: none goes out in clear.
 */
function chooseCookies(pageRequest: PageRequest, url: URL): string {
  const { head: page, setCookies } = pageRequest;
  const pageUrl = new URL(page.url);
  if (pageUrl.protocol === 'https:' && url.protocol !== 'https:') return '';
  if (setCookies.length === 0)
    return url.hostname === pageUrl.hostname ? (findHeader(page.headers, 'cookie') ?? '') : '';
  let jar = jars.get(pageRequest);
  if (!jar) jars.set(pageRequest, (jar = fillJar(pageRequest)));
  return jar.find(url);
}

/** Of pages that set cookies. */
const jars = new WeakMap<PageRequest, BrowserCookies>();
/** Browsers keep no more of a site: https://chromium.googlesource.com/chromium/src/+/main/net/cookies/cookie_monster.h */
const maxCookies = 180;

function fillJar({ head: page, setCookies }: PageRequest): BrowserCookies {
  const jar = new BrowserCookies();
  const pageUrl = new URL(page.url);
  const put = (text: string) => jar.keep(text, pageUrl);
  const fresh = setCookies.slice(-maxCookies);
  const sent = (findHeader(page.headers, 'cookie') ?? '').split('; ').filter((pair) => pair !== '');
  // All that went by https may be `Secure`, and some names have to be.
  const usual = page.url.startsWith('https:') ? '; Path=/; Secure' : '; Path=/';
  for (const pair of sent.slice(Math.max(0, sent.length + fresh.length - maxCookies))) {
    // Where a cookie is valid, its browser does not say: most that are set again where they are set, others for the whole host.
    const again = fresh.find((text) => nameOf(text) === nameOf(pair));
    if (again === undefined || !put(pair + again.slice(again.split(';', 1)[0]!.length))) put(pair + usual);
  }
  for (const text of fresh) put(text);
  return jar;
}

function nameOf(cookie: string): string {
  return /^[^=;]*/.exec(cookie)![0].trim();
}
