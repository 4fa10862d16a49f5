import { Cookie, CookieJar } from 'tough-cookie';
import { isOfOtherSite } from './same-site.ts';

/**
 * The cookies of one client. As in the windows that Chrome has for cold Visits, a page neither takes nor gives those of other sites.
 * https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html
 */
export class Cookies {
  /** As browsers, it takes cookies without a name. */
  readonly #jar = new CookieJar(undefined, { looseMode: true });

  /** What a `Cookie` field says; empty for none. `documentUrls`: the documents that the request is for, the page first. */
  async find(url: URL, documentUrls: readonly string[]): Promise<string> {
    return isOfOtherSite(url, documentUrls) ? '' : await this.#jar.getCookieString(url.href);
  }

  /** Those of `Set-Cookie` fields. */
  keep(fields: readonly string[], url: URL, documentUrls: readonly string[]): void {
    if (isOfOtherSite(url, documentUrls)) return;
    for (const field of fields) {
      const cookie = Cookie.parse(field, { loose: true });
      // One for all sites has to be `Secure`.
      if (cookie && (cookie.sameSite !== 'none' || cookie.secure))
        this.#jar.setCookieSync(cookie, url.href, { ignoreError: true });
    }
  }
}
