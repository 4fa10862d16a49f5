import { z } from 'zod';
import { DelaySummarySchema } from '../measures/delay-summary.ts';
import { TrafficSchema } from '../measures/traffic.ts';

const count = z.int().nonnegative();

/** TCP of a whole trace. `docs/metrics.md` defines each figure, and lists where the counts differ from tshark's. */
export const TcpSummarySchema = z.object({
  packets: count,
  /** Pairs of endpoints; a SYN with another initial number between them begins one more. `opened` + `failed` + `joined`. */
  connections: count,
  /** The SYN is in the trace, and it was answered. */
  opened: count,
  /** The SYN is in the trace, and was refused or never answered in it. */
  failed: count,
  /** Already there when the trace began. */
  joined: count,
  /** Connections between endpoints (addresses and ports) that had one before in the trace. */
  reusedPorts: count,
  /** SYN without ACK. */
  syn: count,
  synAck: count,
  fin: count,
  rst: count,
  /** Segments that only acknowledge: no payload, no SYN, FIN or RST. */
  pureAck: count,
  /** All segments without payload: what TCP sends for its own sake. */
  signalling: TrafficSchema,
  payloadBytes: count,
  /** Requests of HTTP/1.x in plain text. Missing of traces that were measured before they were counted. */
  httpRequests: count.optional(),
  /** All retransmissions, the fast and the spurious among them. */
  retransmissions: count,
  fastRetransmissions: count,
  spuriousRetransmissions: count,
  outOfOrder: count,
  duplicateAcks: count,
  zeroWindows: count,
  keepAlives: count,
  /** From the last SYN to the first segment with ACK and without SYN, which needs a whole round trip wherever the capture is. */
  handshakeRtt: DelaySummarySchema.nullable(),
  /** From a segment to the first acknowledgement of exactly its end, without segments that were sent more than once. */
  ackRtt: DelaySummarySchema.nullable(),
  /** Of segments that the local addresses sent: the way to the other end and back. Null without local addresses, or without any. */
  sentAckRtt: DelaySummarySchema.nullable(),
  /** Acknowledgements whose segment was sent more than once. */
  ambiguousAcks: count,
  /** Segments whose acknowledgement was not looked for, because too many were unacknowledged. Absent where there are none, and of an older Agent. */
  unfollowedSegments: count.optional(),
});
export type TcpSummary = z.infer<typeof TcpSummarySchema>;
