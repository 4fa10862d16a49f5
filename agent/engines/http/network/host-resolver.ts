import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** Asks for the addresses of each host name once: a browser that has just started knows none, and then remembers them. */
export class HostResolver {
  readonly #known = new Map<string, Promise<LookupAddress[]>>();

  /** Rejects with the error of getaddrinfo(3). */
  resolve(hostname: string): Promise<LookupAddress[]> {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(host);
    if (family) return Promise.resolve([{ address: host, family }]);
    const known = this.#known.get(host) ?? lookup(isLoopback(host) ? 'localhost' : host, { all: true });
    this.#known.set(host, known);
    // A failure is not remembered.
    known.catch(() => this.#known.delete(host));
    return known;
  }
}

/** Browsers ask nobody for these. https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function isLoopback(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}
