import { getPublicSuffix } from 'tough-cookie';

/** What may know of each other: a scheme, and a domain that one can register. https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site */
function siteOf({ protocol, hostname }: URL): string {
  const domain = getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true });
  return `${protocol}//${domain ?? hostname}`;
}

/** Whether any of these documents is of another site. */
export function isOfOtherSite(url: URL, documentUrls: readonly string[]): boolean {
  const site = siteOf(url);
  return documentUrls.some((each) => siteOf(new URL(each)) !== site);
}

/**
 * The address under which a cache has what these documents ask for, the page first: each site has its own, and so have frames of others in it, as in browsers.
 * https://fetch.spec.whatwg.org/#http-cache-partitions
 */
export function partition(url: URL, documentUrls: readonly string[]): string {
  const page = new URL(documentUrls[0] ?? url);
  return [siteOf(page), isOfOtherSite(page, documentUrls) ? 'frame' : 'page', url.href].join(' ');
}
