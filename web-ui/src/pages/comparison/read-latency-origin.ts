import { latencyOrigins, type LatencyOrigin } from '#core/metrics/latency-origin.ts';

/** From when latencies count on a page with that address. An unknown value counts as none. */
export function readLatencyOrigin(search: URLSearchParams): LatencyOrigin {
  return latencyOrigins.find((origin) => origin === search.get('from')) ?? 'navigation-start';
}
