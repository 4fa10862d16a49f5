import { z } from 'zod';
import { ByteSeriesSchema } from './measures/byte-series.ts';
import { RatesSchema } from './measures/trace-times.ts';
import { TrafficSchema } from './measures/traffic.ts';
import { ConnectionSchema } from './tcp/connection-detail.ts';
import { RepairsSchema } from './tcp/loss-repairs.ts';
import { TcpSummarySchema } from './tcp/tcp-summary.ts';
import { UdpFlowSchema, UdpSummarySchema } from './udp/udp-meter.ts';

/** Rises whenever a definition below changes; `docs/metrics.md` holds them. */
export const captureStatisticsVersion = 1;

const count = z.int().nonnegative();
const epochNs = z.string().regex(/^-?\d+$/);

/** What is known of the packets of one trace. */
export const CaptureStatisticsSchema = z.object({
  version: z.literal(captureStatisticsVersion),
  packets: count,
  /** Lengths on the wire added up. */
  dataBytes: count,
  /** What of that is in the trace. */
  capturedBytes: count,
  /** Nanoseconds since 1970 as decimal digits, for a double cannot hold them; null when no packet or not every packet has a time. */
  startEpochNs: epochNs.nullable(),
  endEpochNs: epochNs.nullable(),
  /** Decimal places of the second that the trace keeps at its start and its end: 6 or 9. */
  timeDigits: z.object({ start: z.int().min(0).max(9), end: z.int().min(0).max(9) }),
  ...RatesSchema.shape,
  meanPacketBytes: z.number().nonnegative().nullable(),
  /** Of those that are not decoded, packets are counted and no more. */
  linkTypes: z.array(z.object({ name: z.string(), isDecoded: z.boolean(), packets: count })),
  /** Packets by what they carry others in that are not looked into, such as PPPoE: no count of TCP or UDP has those. Absent where there are none, and of an older Agent. */
  carriers: z.array(z.object({ name: z.string(), packets: count })).optional(),
  /** Relative to the local addresses; null when none are known. `other` is neither or both: broadcasts, ARP. */
  directions: z.object({ sent: TrafficSchema, received: TrafficSchema, other: TrafficSchema }).nullable(),
  /** Packets whose headers the snap length cut: they are in no count of TCP or UDP. */
  cutPackets: count,
  malformedPackets: count,
  /** These three are null when no packet has a link type that is decoded. Fragments of IP packets are counted, and not put together. */
  ip: z.object({ v4Packets: count, v6Packets: count, fragments: count }).nullable(),
  tcp: TcpSummarySchema.nullable(),
  udp: UdpSummarySchema.nullable(),
  /** Null without directions, and of a trace without times; absent of an older Agent. */
  repairs: RepairsSchema.nullish(),
  throughput: z.object({
    all: ByteSeriesSchema,
    sent: ByteSeriesSchema.nullable(),
    received: ByteSeriesSchema.nullable(),
  }),
  /** The first 1,000 of each, or fewer where the Capture would be too large for a message. */
  connections: z.array(ConnectionSchema),
  udpFlows: z.array(UdpFlowSchema),
  /** Null when the trace was read to its end; else how far, and why not. */
  damage: z.object({ kind: z.enum(['truncated', 'corrupt']), readToBytes: count, problem: z.string() }).nullable(),
});
export type CaptureStatistics = z.infer<typeof CaptureStatisticsSchema>;
