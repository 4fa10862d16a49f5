import { BrowserCookies } from '#core/page-objects/cookie-jar.ts';
import { Cookie } from 'tough-cookie';
import { isOfOtherSite } from './same-site.ts';

/**
 * The cookies of one client. As in the windows that Chrome has for cold Visits, a page neither takes nor gives those of other sites.
 * https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html
 */
export class Cookies {
  readonly #jar = new BrowserCookies();

  /** What a `Cookie` field says; empty for none. `documentUrls`: the documents that the request is for, the page first. */
  find(url: URL, documentUrls: readonly string[]): string {
    return isOfOtherSite(url, documentUrls) ? '' : this.#jar.find(url);
  }

  /** Those of `Set-Cookie` fields. */
  keep(fields: readonly string[], url: URL, documentUrls: readonly string[]): void {
    if (isOfOtherSite(url, documentUrls)) return;
    for (const field of fields) {
      const cookie = Cookie.parse(field, { loose: true });
      // One for all sites has to be `Secure`.
      if (cookie && (cookie.sameSite !== 'none' || cookie.secure)) this.#jar.keep(cookie, url);
    }
  }
}
