import { isSecretHeader } from '../har/redact-headers.ts';
import type { Site, SiteExchange } from './site.ts';

type Headers = SiteExchange['headers'];
type Heads = Pick<SiteExchange, 'requestHeaders' | 'headers' | 'trailers'>;

/** The same exchanges without headers that let any reader act as the user, and the list of what was left out, by name. docs/security.md lists the names. */
export function dropSecrets<Exchange extends Heads>(
  exchanges: readonly Exchange[],
): { exchanges: Exchange[]; dropped: Site['dropped'] } {
  const times = new Map<string, number>();
  const keep = (headers: Headers) =>
    headers.filter(([name]) => {
      if (!isSecretHeader(name)) return true;
      const key = name.toLowerCase();
      times.set(key, (times.get(key) ?? 0) + 1);
      return false;
    });
  const kept = exchanges.map((exchange) => ({
    ...exchange,
    requestHeaders: keep(exchange.requestHeaders),
    headers: keep(exchange.headers),
    trailers: keep(exchange.trailers),
  }));
  const dropped = [...times].map(([header, count]) => ({ header, times: count }));
  return { exchanges: kept, dropped: dropped.sort((one, other) => (one.header < other.header ? -1 : 1)) };
}
