import { z } from 'zod';
import { catalogue, type LatencyId } from './index.ts';
import type { Measurement } from './metric-definition.ts';

/** From when latencies count: navigation start, or the first request, as in the first HTTP-AE papers. */
export const latencyOrigins = ['navigation-start', 'first-request'] as const;
export const LatencyOriginSchema = z.enum(latencyOrigins, {
  error: 'must be "navigation-start" or "first-request"',
});
export type LatencyOrigin = z.infer<typeof LatencyOriginSchema>;

/** What measures a latency from when. */
export function nameLatency(metric: LatencyId, from: LatencyOrigin = 'navigation-start'): string {
  const { label } = catalogue[metric];
  return from === 'first-request' ? `${label} from the first request` : label;
}

/**
 * A latency counted from the first byte of the first request sent, instead of navigation start: without name resolution, connection and TLS. It is
 * absent, for the same reason, where either time is.
 */
export function countFromRequest(latency: Measurement, requestStart: Measurement): Measurement {
  if ('reason' in latency) return latency;
  if ('reason' in requestStart) return requestStart;
  const value = latency.value - requestStart.value;
  // A page of the cache may send its first request after it was there.
  return value > 0 ? { value } : { reason: 'not-applicable' };
}
