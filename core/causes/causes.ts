import { latencyIds, type LatencyId } from '../metrics/index.ts';

/** The number rises whenever a definition changes. What is stored of an earlier version is derived again from the Snapshot. */
export const causesVersion = 1;

interface Cause {
  label: string;
  /** For sentences: "0.74 s opening connections". */
  doing: string;
  definition: string;
}

/**
 * What a latency is made of. Each instant of its critical path belongs to exactly one of these, so that they sum to the latency. `docs/causes.md` says more.
 * Phases are those of Resource Timing (https://w3c.github.io/resource-timing/); the walk is that of WProf (NSDI 2013).
 */
export const causes = {
  start: {
    label: 'Browser, before the first request',
    doing: 'starting',
    definition: 'From navigation start until the browser asked for the page.',
  },
  redirect: {
    label: 'Redirects',
    doing: 'following redirects',
    definition: 'Earlier hops of a request, and earlier documents of the page, without the opening of connections.',
  },
  dns: { label: 'Name resolution', doing: 'resolving names', definition: 'Waiting for the address of a host.' },
  connect: {
    label: 'Opening a connection',
    doing: 'opening connections',
    definition:
      'Waiting for a connection to be opened, for this request or for another one to the same host; without TLS.',
  },
  tls: { label: 'TLS', doing: 'in TLS handshakes', definition: 'The same for the TLS handshake.' },
  queue: {
    label: 'Waiting for a connection or stream',
    doing: 'waiting for a free connection',
    definition: 'Asked for and not sent, while no connection to its host was being opened.',
  },
  roundTrip: {
    label: 'Round trip',
    doing: 'in round trips',
    definition: 'Request to first byte, as far as the least round trip to that host in this Visit.',
  },
  server: {
    label: 'Server, and queues on the way',
    doing: 'waiting for the server',
    definition: 'Request to first byte beyond that: the server, a proxy, queues and losses on the way.',
  },
  receive: { label: 'Receiving', doing: 'receiving', definition: 'First to last byte of an answer.' },
  browser: {
    label: 'Browser, between',
    doing: 'in the browser',
    definition: 'From the end of what named an object until the browser asked for it: parsing, scripts, styles.',
  },
  unexplained: {
    label: 'Unexplained',
    doing: 'that nothing explains',
    definition: 'The browser shows when a request began and ended, and nothing in between.',
  },
} as const satisfies Record<string, Cause>;

export type CauseId = keyof typeof causes;
export const causeIds = Object.keys(causes) as [CauseId, ...CauseId[]];

/** Milliseconds of each cause, in the order of `causeIds`; they sum to the latency. */
export type Parts = readonly number[];

/** As they are stored and exported: the parts of each latency one after the other, null those of a latency that is absent. */
export function packCauses(split: Record<LatencyId, { parts: Parts } | null>): (number | null)[] {
  return latencyIds.flatMap((id): readonly (number | null)[] => split[id]?.parts ?? causeIds.map(() => null));
}

/** Where the parts of a latency are in what is stored, from 0. */
export function placeOfParts(latency: LatencyId): { start: number; end: number } {
  const start = latencyIds.indexOf(latency) * causeIds.length;
  return { start, end: start + causeIds.length };
}

/** The parts of one latency, of what is stored; null where they are absent. */
export function unpackParts(packed: readonly (number | null)[] | null, latency: LatencyId): Parts | null {
  const { start, end } = placeOfParts(latency);
  const parts = packed?.slice(start, end) ?? [];
  return parts.length === causeIds.length && parts.every((ms) => ms !== null) ? parts : null;
}
