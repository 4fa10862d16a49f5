import type { PageObject } from './page-object.ts';

/**
 * The version of HTTP that an object came by, by its name in ALPN, such as `h2`. Of redirects the last hop counts. Null for what came from the cache, and where neither the engine nor the
 * page reports it, as of an object without an answer.
 */
export function readProtocol({ hops, entry, frame }: PageObject): string | null {
  const last = hops.at(-1);
  if (last?.fromCache) return null;
  return last?.protocol || (entry ?? frame?.navigation)?.nextHopProtocol || null;
}
