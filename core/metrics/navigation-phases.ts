import { measureBaseLatency } from './base-latency.ts';
import type { MetricId } from './catalogue.ts';
import { measureConnectionPhases } from './connection-phases.ts';
import { findFirstRequest, findMainFrame, findNavigationStart, hasLedElsewhere } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { NavigationEntry, Snapshot } from './snapshot.ts';

type PhaseId = Extract<
  MetricId,
  | 'requestStartMs'
  | 'firstByteMs'
  | 'loadEventMs'
  | 'blockedMs'
  | 'dnsMs'
  | 'connectMs'
  | 'tlsMs'
  | 'requestMs'
  | 'responseMs'
>;

/**
 * The phases of the base page, of its last request where it was redirected. https://w3c.github.io/navigation-timing/#processing-model
 * `blockedMs`, `dnsMs`, `connectMs`, `requestMs` and `responseMs` add up to the base page latency; one that is absent adds nothing.
 */
export function measureNavigationPhases(snapshot: Snapshot): Record<PhaseId, Measurement> {
  const { navigation, timeOrigin } = findMainFrame(snapshot);
  const sinceStartMs = timeOrigin - findNavigationStart(snapshot);
  const at = (field: keyof NavigationEntry & `${string}${'Start' | 'End'}`): Measurement => {
    const time = navigation?.[field];
    return time ? { value: sinceStartMs + time } : { reason: 'not-reached' };
  };
  const requestStart = at('requestStart');
  const firstByte = at(navigation?.finalResponseHeadersStart ? 'finalResponseHeadersStart' : 'responseStart');
  const connection = measureConnectionPhases(snapshot);
  return {
    requestStartMs: measureRequestStart(snapshot, requestStart),
    firstByteMs: firstByte,
    loadEventMs: at('loadEventStart'),
    ...connection,
    blockedMs:
      'reason' in requestStart
        ? requestStart
        : { value: requestStart.value - valueOf(connection.dnsMs) - valueOf(connection.connectMs) },
    requestMs: between(requestStart, firstByte),
    // Not the entry's own end, which in Firefox may repeat its start.
    responseMs: between(firstByte, measureBaseLatency(snapshot)),
  };
}

function between(from: Measurement, to: Measurement): Measurement {
  if ('reason' in from) return from;
  return 'reason' in to ? to : { value: to.value - from.value };
}

function valueOf(measurement: Measurement): number {
  return 'value' in measurement ? measurement.value : 0;
}

/** Navigation Timing has the last request only: where the page was redirected, the engine knows the first one. */
function measureRequestStart(snapshot: Snapshot, ownRequestStart: Measurement): Measurement {
  const documents = snapshot.requests.filter((request) => request.isMainDocument);
  const first = findFirstRequest(snapshot);
  if (!first || (documents.length <= 1 && !hasLedElsewhere(snapshot))) return ownRequestStart;
  // A first request that the browser's cache answered was never sent.
  if (first.fromCache) return { reason: 'not-applicable' };
  return first.sentEpochMs === null
    ? { reason: 'unsupported' }
    : { value: first.sentEpochMs - findNavigationStart(snapshot) };
}
