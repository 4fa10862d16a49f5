import { CookieJar, type Cookie } from 'tough-cookie';

/** The cookies of one client, by the rules of RFC 6265 and public suffixes, as browsers keep them: also without a name. */
export class BrowserCookies {
  readonly #jar = new CookieJar(undefined, { looseMode: true });

  /** What an answer from this address sets. False where a browser would refuse it. */
  keep(cookie: string | Cookie, url: URL): boolean {
    return this.#jar.setCookieSync(cookie, addressOf(url), { ignoreError: true }) !== undefined;
  }

  /** What a `Cookie` field says; empty for none. */
  find(url: URL): string {
    return this.#jar.getCookieStringSync(addressOf(url));
  }
}

/** The jar throws for hosts of these names, which public suffixes reserve, and takes hosts below them. https://www.rfc-editor.org/rfc/rfc6761 */
const reserved = /^(?:example|local|test)$/;

function addressOf(url: URL): string {
  if (!reserved.test(url.hostname)) return url.href;
  const place = new URL(url);
  place.hostname = `host.${url.hostname}`;
  return place.href;
}
