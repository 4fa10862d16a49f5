import { latencyIds, type LatencyId } from '../metrics/index.ts';

/** The number rises whenever a definition changes. What is stored of an earlier version is derived again from the Snapshot. */
export const causesVersion = 4;

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
    definition:
      'Request to first byte on the network: without the server’s own time, or else the least round trip to that host in this Visit.',
  },
  server: {
    label: 'Server, and queues on the way',
    doing: 'waiting for the server',
    definition:
      'Request to first byte beyond that: what the server says that it took. Where it says nothing, a proxy, queues and losses on the way are in it too.',
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

const bytesOfPart = 8;

/** As they are stored: the parts of each latency one after the other, as doubles with their least byte first; NaN those of a latency that is absent. */
export function packCauses(split: Record<LatencyId, { parts: Parts } | null>): Uint8Array {
  const parts = latencyIds.flatMap((id) => split[id]?.parts ?? causeIds.map(() => NaN));
  const bytes = new DataView(new ArrayBuffer(parts.length * bytesOfPart));
  for (const [index, ms] of parts.entries()) bytes.setFloat64(index * bytesOfPart, ms, true);
  return new Uint8Array(bytes.buffer);
}

/** Which bytes the parts of a latency are, from 0. */
export function placeOfParts(latency: LatencyId): { start: number; length: number } {
  const length = causeIds.length * bytesOfPart;
  return { start: latencyIds.indexOf(latency) * length, length };
}

/** The parts of one latency, from its bytes; null where they are absent. */
export function readParts({ buffer, byteOffset, byteLength }: Uint8Array): Parts | null {
  if (byteLength !== causeIds.length * bytesOfPart) return null;
  const view = new DataView(buffer, byteOffset, byteLength);
  const parts = new Array<number>(causeIds.length);
  for (let index = 0; index < parts.length; index++) parts[index] = view.getFloat64(index * bytesOfPart, true);
  return Number.isNaN(parts[0]) ? null : parts;
}

/** The parts of one latency, of all that is stored; null where they are absent. */
export function unpackParts(packed: Uint8Array | null, latency: LatencyId): Parts | null {
  const { start, length } = placeOfParts(latency);
  return packed && readParts(packed.subarray(start, start + length));
}
