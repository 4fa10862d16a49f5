import type { HarTimings } from '../har/har.ts';
import { timePhases } from '../har/time-phases.ts';
import type { ResourceEntry } from '../metrics/frame-snapshot.ts';
import type { NetworkRequest } from '../metrics/network-request.ts';

export const phaseKinds = ['blocked', 'dns', 'connect', 'tls', 'send', 'wait', 'receive', 'undivided'] as const;
export type PhaseKind = (typeof phaseKinds)[number];

/** A stretch of a request, in milliseconds from navigation start. `undivided`: nobody reports its phases. */
export interface RequestPhase {
  kind: PhaseKind;
  startMs: number;
  endMs: number;
}

/** The phases of a request that the engine reported, one after the other; one that was in flight ends at `untilEpochMs`. */
export function layOutRequest(
  request: NetworkRequest,
  { originEpochMs, untilEpochMs }: { originEpochMs: number; untilEpochMs: number },
): RequestPhase[] {
  return layOutTimings(timePhases(request, untilEpochMs), request.startEpochMs - originEpochMs);
}

/** Phases one after the other, the first from `startMs`. */
export function layOutTimings(
  { blocked, dns, connect, ssl, send, wait, receive }: HarTimings,
  startMs: number,
): RequestPhase[] {
  const tls = Math.max(ssl, 0);
  const lengths: [PhaseKind, number][] = [
    ['blocked', blocked],
    ['dns', dns],
    ['connect', connect - tls],
    ['tls', tls],
    ['send', send],
    ['wait', wait],
    ['receive', receive],
  ];
  const phases: RequestPhase[] = [];
  let atMs = startMs;
  for (const [kind, lengthMs] of lengths) {
    if (lengthMs <= 0) continue;
    phases.push({ kind, startMs: atMs, endMs: atMs + lengthMs });
    atMs += lengthMs;
  }
  return phases;
}

type Timing = Pick<
  ResourceEntry,
  | 'startTime'
  | 'domainLookupStart'
  | 'domainLookupEnd'
  | 'connectStart'
  | 'connectEnd'
  | 'secureConnectionStart'
  | 'requestStart'
  | 'responseStart'
  | 'finalResponseHeadersStart'
  | 'responseEnd'
>;

/** The phases of a fetch that only the probe saw. `shiftMs` is what its frame began after navigation start. */
export function layOutTiming(timing: Timing, shiftMs: number): RequestPhase[] {
  const stretch = (kind: PhaseKind, start: number, end: number): RequestPhase[] =>
    end > start ? [{ kind, startMs: start + shiftMs, endMs: end + shiftMs }] : [];
  // A time of 0 is one that the browser does not show.
  if (timing.requestStart === 0) return stretch('undivided', timing.startTime, timing.responseEnd);
  const {
    domainLookupStart,
    domainLookupEnd,
    connectStart,
    connectEnd,
    secureConnectionStart,
    requestStart,
    finalResponseHeadersStart,
    responseEnd,
  } = timing;
  const responseStart = finalResponseHeadersStart ?? timing.responseStart;
  const tlsStart = secureConnectionStart > 0 ? secureConnectionStart : connectEnd;
  const begin = [domainLookupStart, connectStart, requestStart].find((time) => time > 0)!;
  return [
    ...stretch('blocked', timing.startTime, begin),
    ...stretch('dns', domainLookupStart, domainLookupEnd),
    ...stretch('connect', connectStart, tlsStart),
    ...stretch('tls', tlsStart, connectEnd),
    ...stretch('wait', requestStart, responseStart),
    ...stretch('receive', responseStart, responseEnd),
  ];
}
