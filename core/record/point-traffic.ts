import { z } from 'zod';

/** What crossed a Capture Point in one Round. */
export interface PointCounts {
  packets: number;
  /** Lengths on the wire, headers included. */
  bytes: number;
  /** What is known of TCP; null where no packet could be decoded. */
  tcp: {
    connections: number;
    retransmissions: number;
    /** In plain text. Null of an Agent that did not count them yet. */
    httpRequests: number | null;
  } | null;
  /** Whether a connection began with a TLS handshake, or a flow was one of QUIC. */
  hasEncryption: boolean;
  hasDrops: boolean;
}

export interface PointTraffic {
  block: number;
  scenario: string;
  point: string;
  captured: { kind: 'counted'; counts: PointCounts } | { kind: 'absent'; reason: string };
}

const count = z.int().nonnegative();

/** The part of a Capture that is counted. */
const PointOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('captured'),
    statistics: z.object({
      packets: count,
      dataBytes: count,
      tcp: z
        .object({ connections: count, retransmissions: count, httpRequests: count.nullable().default(null) })
        .nullable(),
      udp: z.object({ quicFlows: count }).nullable(),
      connections: z.array(z.object({ tls: z.unknown() })),
    }),
    droppedByKernel: count,
    droppedByInterface: count,
    isLimited: z.boolean(),
    isBrokenOff: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);

/** What crossed a Capture Point, from the outcome of its Capture; null where none is stored. A Capture that ended before its Round counts too little, and is left out. */
export function describePointTraffic(outcome: unknown): PointTraffic['captured'] {
  if (outcome === null) return absent('No Capture of it is stored.');
  const { data } = PointOutcomeSchema.safeParse(outcome);
  if (data === undefined) return absent('Its Capture cannot be read.');
  if (data.kind === 'absent') return absent(data.reason);
  if (data.isLimited) return absent('Its Capture reached the longest trace that the Evaluation allows.');
  if (data.isBrokenOff) return absent('Its Capture ended before the Round.');
  const { packets, dataBytes: bytes, tcp, udp, connections } = data.statistics;
  return {
    kind: 'counted',
    counts: {
      packets,
      bytes,
      tcp,
      hasEncryption: (udp?.quicFlows ?? 0) > 0 || connections.some(({ tls }) => tls !== null && tls !== undefined),
      hasDrops: data.droppedByKernel + data.droppedByInterface > 0,
    },
  };
}

function absent(reason: string): PointTraffic['captured'] {
  return { kind: 'absent', reason };
}
