import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';

/** What an address carries of the start of latencies. Navigation start needs nothing. */
export function fromSearch(from: LatencyOrigin): { from?: LatencyOrigin } {
  return from === 'navigation-start' ? {} : { from };
}
