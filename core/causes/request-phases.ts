import { timePhases, type HarTimings, type RequestTimes } from '../har/har.ts';
import type { ResourceEntry } from '../metrics/frame-snapshot.ts';
import type { NetworkRequest } from '../metrics/network-request.ts';
import type { PageObject } from '../metrics/page-object.ts';

export const phaseKinds = ['blocked', 'dns', 'connect', 'tls', 'send', 'wait', 'receive', 'undivided'] as const;
export type PhaseKind = (typeof phaseKinds)[number];

/** A stretch of a request, in milliseconds from navigation start. `undivided`: nobody reports its phases. */
export interface RequestPhase {
  kind: PhaseKind;
  startMs: number;
  endMs: number;
}

/** The clock of a Snapshot, in epoch ms: navigation start, and until when it was taken. */
interface SnapshotClock {
  originEpochMs: number;
  untilEpochMs: number;
}

/** The phases of the hops of an object, as far as the engine or the page's entry has them. */
export function layOutObject(object: PageObject, clock: SnapshotClock): ObjectPhase[] {
  const { hops, entry, frame } = object;
  const timing = entry ?? frame?.navigation ?? null;
  if (hops.length === 0)
    return timing && frame ? layOutTiming(timing, frame.timeOrigin, clock).map((phase) => ({ ...phase, hop: 0 })) : [];
  return hops.flatMap((_, hop) => layOutRequest(timeHop(object, hop), clock).map((phase) => ({ ...phase, hop })));
}

/** The times of a hop. Where the engine does not know when the last one was sent, as an extension, the page's entry may. */
export function timeHop({ hops, entry, frame }: PageObject, hop: number): RequestTimes {
  const request = hops[hop]!;
  const timing = entry ?? frame?.navigation ?? null;
  const isKnown = request.sentEpochMs !== null || request.fromCache;
  if (isKnown || hop < hops.length - 1 || frame === null || timing === null || timing.requestStart === 0)
    return request;
  const at = (ms: number) => frame.timeOrigin + ms;
  const toPhase = (start: number, end: number): [number, number] | null =>
    start > 0 && end > start ? [at(start), at(end)] : null;
  const { domainLookupStart, domainLookupEnd, connectStart, connectEnd, secureConnectionStart, requestStart } = timing;
  const responseStart = timing.finalResponseHeadersStart ?? timing.responseStart;
  return {
    ...request,
    sentEpochMs: at(requestStart),
    responseEpochMs: responseStart > 0 ? at(responseStart) : request.responseEpochMs,
    exchange: {
      phases: {
        dns: toPhase(domainLookupStart, domainLookupEnd),
        connect: toPhase(connectStart, connectEnd),
        tls: toPhase(secureConnectionStart, connectEnd),
        send: null,
      },
    },
  };
}

/** The phases of a request, one after the other; one that was in flight ends at `untilEpochMs`. */
function layOutRequest(request: RequestTimes, { originEpochMs, untilEpochMs }: SnapshotClock): RequestPhase[] {
  // Nobody knows when it was sent, so that its time until the answer is of several phases.
  const isUndivided = request.sentEpochMs === null && !request.fromCache;
  return layOutTimings(timePhases(request, untilEpochMs), request.startEpochMs - originEpochMs).map(
    ({ kind, ...phase }) => ({ ...phase, kind: isUndivided && kind === 'wait' ? ('undivided' as const) : kind }),
  );
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

/** The phases of a fetch that only the probe saw, in a frame that began at `startEpochMs`. */
function layOutTiming(
  timing: Timing,
  startEpochMs: number,
  { originEpochMs, untilEpochMs }: SnapshotClock,
): RequestPhase[] {
  const shiftMs = startEpochMs - originEpochMs;
  const responseEnd = timing.responseEnd || untilEpochMs - startEpochMs;
  const stretch = (kind: PhaseKind, start: number, end: number): RequestPhase[] =>
    end > start ? [{ kind, startMs: start + shiftMs, endMs: end + shiftMs }] : [];
  // A time of 0 is one that the browser does not show.
  if (timing.requestStart === 0) return stretch('undivided', timing.startTime, responseEnd);
  const {
    domainLookupStart,
    domainLookupEnd,
    connectStart,
    connectEnd,
    secureConnectionStart,
    requestStart,
    finalResponseHeadersStart,
  } = timing;
  const responseStart = (finalResponseHeadersStart ?? timing.responseStart) || responseEnd;
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

/** A phase of one hop of an object; ms from navigation start. */
export interface ObjectPhase extends RequestPhase {
  hop: number;
}

/** An object with its phases, one after the other, from its start to its end. */
export interface PhasedObject {
  object: PageObject;
  phases: readonly ObjectPhase[];
}

/** By how much the times of a browser and what a server says may disagree. */
export const clockErrorMs = 1;

/** How long the server says that it took for the answer to this hop; null where it says nothing. An extension has it from the page's entry, which is that of the last hop. */
export function saidServerTime({ hops, entry, frame }: PageObject, hop: number): number | null {
  const ofEntry = hop >= hops.length - 1 ? (entry ?? frame?.navigation) : null;
  return hops[hop]?.serverMs ?? ofEntry?.serverMs ?? null;
}

/**
 * By origin. TCP's handshake takes a round trip, and an answer at least one; QUIC's has TLS in it. Of a connection that was opened ahead, Chrome and the entries of a page show the rest of
 * the handshake alone (https://fetch.spec.whatwg.org/#clamp-and-coarsen-connection-timing-info): there, answers alone count. What a server says of its time is left out of its answer, unless that leaves less than a handshake: then a cache has repeated it.
 */
export function findLeastRoundTrips(nodes: readonly PhasedObject[]): Map<string, number> {
  const ofHandshakes = new Map<string, number>();
  const answers: { origin: string; answerMs: number; serverMs: number }[] = [];
  const areConnectionsKnown = nodes.some(({ object }) => object.hops.some(({ connectionId }) => connectionId !== null));
  for (const { object, phases } of nodes) {
    for (const [hop, own] of Map.groupBy(phases, (phase) => phase.hop)) {
      const request: NetworkRequest | undefined = object.hops[hop];
      const url = request?.url ?? object.url;
      const origin = originOf(url);
      const connect = own.find(({ kind }) => kind === 'connect');
      const tls = own.find(({ kind }) => kind === 'tls');
      const isTcp = request ? !/^(h3|hq|quic)/.test(request.protocol ?? '') : false;
      const isWhole = request?.exchange !== undefined && request.isConnectionReused === undefined;
      if (connect && isTcp && isWhole && (tls || url.startsWith('http:')))
        lower(ofHandshakes, origin, measureHandshake(connect, request));
      const sending = own.filter(({ kind }) => kind === 'send' || kind === 'wait');
      // What ended with its head may have been cut off.
      const isAnswered = own.some(({ kind }) => kind === 'receive') && request?.fromCache !== true && !object.failed;
      // A service worker answers without one, in no time.
      const hasConnection = !areConnectionsKnown || (request?.connectionId ?? null) !== null;
      if (!isAnswered || !hasConnection || sending.length === 0) continue;
      const answerMs = sending.at(-1)!.endMs - sending[0]!.startMs;
      answers.push({ origin, answerMs, serverMs: saidServerTime(object, hop) ?? 0 });
    }
  }
  const least = new Map(ofHandshakes);
  for (const { origin, answerMs, serverMs } of answers) {
    const onTheWayMs = answerMs - serverMs;
    const isCredible = onTheWayMs > 0 && onTheWayMs >= (ofHandshakes.get(origin) ?? 0) - clockErrorMs;
    lower(least, origin, isCredible ? onTheWayMs : answerMs);
  }
  return least;
}

/** Of a connection that was on its way for another request, the phases have the rest alone. */
function measureHandshake({ startMs, endMs }: ObjectPhase, request: NetworkRequest | undefined): number {
  const { connect = null, tls = null } = request?.exchange?.phases ?? {};
  const isCut = connect !== null && connect[0] < request!.startEpochMs;
  return isCut ? (tls?.[0] ?? connect[1]) - connect[0] : endMs - startMs;
}

function lower(least: Map<string, number>, origin: string, ms: number): void {
  least.set(origin, Math.min(least.get(origin) ?? Infinity, ms));
}

/** Of an address as a browser writes it. */
export function originOf(url: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
}
