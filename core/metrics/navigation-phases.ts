import type { MetricId } from './catalogue.ts';
import { findFirstRequest, findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { NavigationEntry, Snapshot } from './snapshot.ts';

type PhaseId = Extract<MetricId, 'requestStartMs' | 'firstByteMs' | 'loadEventMs' | 'dnsMs' | 'connectMs' | 'tlsMs' | 'requestMs' | 'responseMs'>;

/** The phases of the base page, of its last request where it was redirected. https://w3c.github.io/navigation-timing/#processing-model */
export function measureNavigationPhases(snapshot: Snapshot): Record<PhaseId, Measurement> {
  const { navigation, timeOrigin } = findMainFrame(snapshot);
  const sinceStartMs = timeOrigin - findNavigationStart(snapshot);
  const at = (field: keyof NavigationEntry & `${string}${'Start' | 'End'}`): Measurement => {
    const time = navigation?.[field];
    return time ? { value: sinceStartMs + time } : { reason: 'not-reached' };
  };
  const between = (from: Measurement, to: Measurement): Measurement => {
    if ('reason' in from) return from;
    return 'reason' in to ? to : { value: to.value - from.value };
  };
  return {
    requestStartMs: measureRequestStart(snapshot, at('requestStart')),
    firstByteMs: at('responseStart'),
    loadEventMs: at('loadEventStart'),
    dnsMs: between(at('domainLookupStart'), at('domainLookupEnd')),
    connectMs: between(at('connectStart'), at('connectEnd')),
    tlsMs: navigation?.secureConnectionStart === 0 ? { reason: 'not-applicable' } : between(at('secureConnectionStart'), at('connectEnd')),
    requestMs: between(at('requestStart'), at('responseStart')),
    responseMs: between(at('responseStart'), at('responseEnd')),
  };
}

/** Navigation Timing tells of the last request only: where the page was redirected, the engine knows the first one. */
function measureRequestStart(snapshot: Snapshot, ownRequestStart: Measurement): Measurement {
  const documents = snapshot.requests.filter((request) => request.isMainDocument);
  if (documents.length <= 1) return ownRequestStart;
  const sentEpochMs = findFirstRequest(snapshot)?.sentEpochMs ?? null;
  // A first request that the browser's cache answered was never sent.
  return sentEpochMs === null ? { reason: 'not-applicable' } : { value: sentEpochMs - findNavigationStart(snapshot) };
}
