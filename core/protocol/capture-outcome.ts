import { z } from 'zod';
import { CaptureStatisticsSchema } from '../packets/capture-statistics.ts';

const count = z.int().nonnegative();
/** As of a Visit: what is computed of such instants is one that the database has. */
const longestOffsetMs = 1e14;

export const Sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash: 64 hexadecimal digits in lower case');

/** What one Visit had on the wire. docs/metrics.md says which packets belong to it. */
export const VisitWireSchema = z.object({
  packets: count,
  /** Lengths on the wire, headers included, both ways. */
  bytes: count,
  /** TCP and QUIC connections that the User Agent opened within the Visit. Null: an Agent that did not count them yet. */
  openedConnections: count.nullable().default(null),
  /** Of these, those of TCP on which it sent no request. */
  unusedConnections: count.nullable().default(null),
  /** What of `bytes` the User Agent sent and received. These three are null of an Agent that did not count them yet. */
  sentBytes: count.nullable().default(null),
  receivedBytes: count.nullable().default(null),
  /** TCP segments without payload. */
  signallingPackets: count.nullable().default(null),
});
export type VisitWire = z.infer<typeof VisitWireSchema>;

/** Where the packets themselves are. */
export const TraceSchema = z.discriminatedUnion('kind', [
  /** `sha256` and `bytes` are those of the archived file, which is compressed by gzip. */
  z.object({ kind: z.literal('kept'), sha256: Sha256Schema, bytes: count }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type Trace = z.infer<typeof TraceSchema>;

export const CaptureOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('captured'),
    program: z.enum(['pcap', 'tcpdump']),
    interface: z.string().max(64),
    statistics: CaptureStatisticsSchema,
    /** Packets that the filter let through, dropped ones among them. */
    receivedPackets: count,
    /** Packets that came faster than they could be taken: they are in no statistics. */
    droppedByKernel: count,
    droppedByInterface: count,
    /** It ended before the Pass, at the longest trace that the Evaluation allows. */
    isLimited: z.boolean(),
    /** Its Pass or Round did not come to its end: the packets are those until then. */
    isBrokenOff: z.boolean().default(false),
    /** Controller clock minus the clock of the packets. */
    clockOffsetMs: z.number().min(-longestOffsetMs).max(longestOffsetMs),
    /** Bound of its error. Null of an older Agent. */
    clockErrorMs: z.number().nonnegative().max(longestOffsetMs).nullable().default(null),
    /** When the first packet of the Pass went to its first page, or to the proxy, on the clock of the packets. Null where there is none, and of a Capture Point. */
    firstPacketEpochMs: z.number().min(-longestOffsetMs).max(longestOffsetMs).nullable().default(null),
    trace: TraceSchema,
    visits: z.record(z.uuid(), VisitWireSchema),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(4096) }),
]);
export type CaptureOutcome = z.infer<typeof CaptureOutcomeSchema>;

/** A Capture as its Agent reports it. `captureId`: the id of the Pass, or of the Capture Point in the Round. */
export const CaptureReportSchema = z.object({ captureId: z.uuid(), outcome: CaptureOutcomeSchema });
export type CaptureReport = z.infer<typeof CaptureReportSchema>;
