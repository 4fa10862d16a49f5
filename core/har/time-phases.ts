import type { NetworkRequest } from '../metrics/network-request.ts';
import type { HarTimings } from './har.ts';

/**
 * How long each phase of a request took; all but `ssl` sum to the time from its start to its end, or to `untilEpochMs` for one that was in flight.
 * The phases are consecutive, and what no phase explains is `blocked`, as Chrome's DevTools count it.
 */
export function timePhases(request: NetworkRequest, untilEpochMs: number): HarTimings {
  const { startEpochMs } = request;
  const endEpochMs = Math.max(request.endEpochMs ?? untilEpochMs, startEpochMs);
  const sentEpochMs = clamp(
    request.sentEpochMs ?? findUnreportedSending(request) ?? endEpochMs,
    startEpochMs,
    endEpochMs,
  );
  const responseEpochMs = clamp(request.responseEpochMs ?? endEpochMs, sentEpochMs, endEpochMs);
  const { dns = null, connect = null, tls = null, send = null } = request.exchange?.phases ?? {};
  const dnsMs = lengthWithin(dns, startEpochMs, sentEpochMs);
  const connectMs = lengthWithin(connect, dns ? Math.max(dns[1], startEpochMs) : startEpochMs, sentEpochMs);
  const sendMs = Math.max(0, lengthWithin(send, sentEpochMs, responseEpochMs));
  return {
    blocked: sentEpochMs - startEpochMs - Math.max(dnsMs, 0) - Math.max(connectMs, 0),
    dns: dnsMs,
    connect: connectMs,
    ssl: tls && connect ? lengthWithin(tls, Math.max(connect[0], startEpochMs), Math.min(connect[1], sentEpochMs)) : -1,
    send: sendMs,
    wait: responseEpochMs - sentEpochMs - sendMs,
    receive: endEpochMs - responseEpochMs,
  };
}

/** An engine that does not report when it sent a request reports no phases either: all until its answer is `wait`. */
function findUnreportedSending({ startEpochMs, responseEpochMs, fromCache }: NetworkRequest): number | null {
  return responseEpochMs === null || fromCache ? responseEpochMs : startEpochMs;
}

/** −1 for a phase that did not take place. */
function lengthWithin(phase: readonly [number, number] | null, fromEpochMs: number, untilEpochMs: number): number {
  if (!phase) return -1;
  const [start, end] = phase.map((epochMs) => clamp(epochMs, fromEpochMs, untilEpochMs)) as [number, number];
  return Math.max(0, end - start);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
