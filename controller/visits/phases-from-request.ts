import type { MetricId } from '../../core/metrics/index.ts';

/** Of the base page, in the order in which their time passes: what a latency from the first request leaves out is taken from the first of them. */
const before = ['blockedMs', 'dnsMs', 'connectMs'] as const;

/** What `countPhaseFromRequest` needs of a Visit, beside the phase itself. */
export const neededForPhases = ['requestStartMs', ...before] as const satisfies MetricId[];

const counted: readonly MetricId[] = ['firstByteMs', 'tlsMs', ...before];

/** Whether the metric is shorter when latencies count from the first request. */
export function isCountedFromRequest(metric: MetricId): boolean {
  return counted.includes(metric);
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
