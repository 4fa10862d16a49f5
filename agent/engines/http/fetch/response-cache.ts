import type { IncomingHttpHeaders } from 'node:http';
import CachePolicy from 'http-cache-semantics';

export interface StoredResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As it came, content codings not undone. */
  body: Buffer;
}

interface Entry {
  policy: CachePolicy;
  response: StoredResponse;
}

const maximumBytes = 256 * 1024 * 1024;
/** What is larger is not stored. */
export const maximumBodyBytes = 16 * 1024 * 1024;

/** What the cache knows of an address: it is fresh, or the server is to be asked whether it still holds, with these header fields. */
export type CacheAnswer =
  | { kind: 'fresh'; response: StoredResponse }
  | { kind: 'stale'; headers: Record<string, string> }
  | { kind: 'absent' };

/** A private cache by RFC 9111. Its addresses name the site that asks, too. */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  find(url: string, headers: Record<string, string>): CacheAnswer {
    const entry = this.#entries.get(url);
    if (!entry) return { kind: 'absent' };
    const request = { url, headers };
    if (entry.policy.satisfiesWithoutRevalidation(request)) return { kind: 'fresh', response: entry.response };
    return { kind: 'stale', headers: entry.policy.revalidationHeaders(request) as Record<string, string> };
  }

  /** After 304: the stored response, with its freshness renewed; null when nothing is stored. */
  refresh(
    url: string,
    headers: Record<string, string>,
    answer: { status: number; headers: IncomingHttpHeaders },
  ): StoredResponse | null {
    const entry = this.#entries.get(url);
    if (!entry) return null;
    const { policy } = entry.policy.revalidatedPolicy({ url, headers }, answer);
    this.#entries.set(url, { ...entry, policy });
    return entry.response;
  }

  store(url: string, headers: Record<string, string>, response: StoredResponse): void {
    this.#remove(url);
    const policy = new CachePolicy({ url, headers }, response, { shared: false });
    if (
      !policy.storable() ||
      response.body.length > maximumBodyBytes ||
      this.#bytes + response.body.length > maximumBytes
    )
      return;
    this.#entries.set(url, { policy, response });
    this.#bytes += response.body.length;
  }

  #remove(url: string): void {
    this.#bytes -= this.#entries.get(url)?.response.body.length ?? 0;
    this.#entries.delete(url);
  }
}
