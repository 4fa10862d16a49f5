import { z } from 'zod';
import { catalogue, latencyIds, type LatencyId, type MetricId } from './index.ts';
import type { Measurement } from './metric-definition.ts';

/** From when latencies count: navigation start, or the first request, as in the first HTTP-AE papers. */
export const latencyOrigins = ['navigation-start', 'first-request'] as const;
export const LatencyOriginSchema = z.enum(latencyOrigins, {
  error: 'must be "navigation-start" or "first-request"',
});
export type LatencyOrigin = z.infer<typeof LatencyOriginSchema>;

/** What measures a latency from when. */
export function nameLatency(metric: LatencyId, from: LatencyOrigin = 'navigation-start'): string {
  return `${catalogue[metric].label}${nameOrigin(metric, from)}`;
}

/** ` from the first request` after the name of a metric that counts from there, else nothing. */
export function nameOrigin(metric: string, from: LatencyOrigin): string {
  return from === 'first-request' && isCountedFromRequest(metric) ? ' from the first request' : '';
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

/** Of the base page, in the order in which their time passes: what a latency from the first request leaves out is taken from the first of them. */
const before = ['blockedMs', 'dnsMs', 'connectMs'] as const;

/** What `countPhaseFromRequest` needs of a Visit, beside the phase itself. */
export const neededForPhases = ['requestStartMs', ...before] as const satisfies MetricId[];

const phases: readonly MetricId[] = ['firstByteMs', 'tlsMs', ...before];

/** Whether it is a phase of the base page, or its first byte, which `countPhaseFromRequest` counts. */
export function isPhaseFromRequest(metric: string): metric is MetricId {
  return phases.some((phase) => phase === metric);
}

/** Whether the metric is shorter when latencies count from the first request. */
export function isCountedFromRequest(metric: string): boolean {
  return latencyIds.some((id) => id === metric) || isPhaseFromRequest(metric);
}

/**
 * A phase of the base page, or its first byte, counted from the first request like the latencies: so the phases still add up to the base page
 * latency. Null where it, or the time of the first request, is absent. Of a page that was not redirected nothing is left of name resolution,
 * connection and TLS; of a redirected one, what its last request waited for is.
 */
export function countPhaseFromRequest(metric: MetricId, read: (metric: MetricId) => number | null): number | null {
  const value = read(metric);
  let restMs = read('requestStartMs');
  if (value === null || restMs === null) return null;
  if (metric === 'firstByteMs') return Math.max(0, value - restMs);
  for (const phase of before) {
    const wholeMs = read(phase) ?? 0;
    const leftMs = Math.max(0, wholeMs - restMs);
    if (phase === metric) return leftMs;
    // The handshake is the end of the connection.
    if (phase === 'connectMs' && metric === 'tlsMs') return Math.min(value, leftMs);
    restMs = Math.max(0, restMs - wholeMs);
  }
  return value;
}
