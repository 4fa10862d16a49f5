import type { ConnectionDetail } from './connection-detail.ts';
import { ArrivedBytes } from './loss-repairs.ts';
import { tcpFlags, type TcpSegment } from './tcp-segment.ts';
import { UnacknowledgedSegments, type SegmentRoom } from './unacknowledged-segments.ts';

/** What one end of a connection has sent, as far as the analysis of later segments needs it. Sequence numbers are signed 32-bit. */
export class TcpDirection {
  /** The initial sequence number; one before the first seen where the SYN was not. Null before anything is known of this direction. */
  baseSequence: number | null = null;
  /** The end of what was sent so far, and when the segment that reached it was; null before any segment. */
  nextSequence: number | null = null;
  nextSequenceNs = 0;
  /** The end of what was seen without a gap, from the first segment on. */
  gaplessEnd: number | null = null;
  acknowledgement: number | null = null;
  acknowledgementNs = 0;
  duplicateAcks = 0;
  window: number | null = null;
  /** Findings of its last segment. */
  lastFindings = 0;
  readonly unacknowledged: UnacknowledgedSegments;
  /** Where the other end is local. */
  readonly arrived = new ArrivedBytes();

  constructor(room: SegmentRoom) {
    this.unacknowledged = new UnacknowledgedSegments(room);
  }
}

const synOrAck = tcpFlags.syn | tcpFlags.ack;

/** One connection, from its SYN (or the first packet in the trace) to the end of the trace or the next SYN between its endpoints. */
export class TcpConnection {
  /** What the lower and the higher endpoint sent, by the order of the flow table. */
  readonly forward: TcpDirection;
  readonly backward: TcpDirection;
  readonly detail: ConnectionDetail | null;
  #hasSyn = false;
  #hasAnswer = false;
  #synNs: number | null = null;
  handshakeNs: number | null = null;

  constructor(detail: ConnectionDetail | null, room: SegmentRoom) {
    this.detail = detail;
    this.forward = new TcpDirection(room);
    this.backward = new TcpDirection(room);
  }

  /** `failed`: it began in the trace, and only refusals came back. `joined`: it was there before the trace. */
  get state(): 'opened' | 'failed' | 'joined' {
    if (this.#hasAnswer) return this.#hasSyn ? 'opened' : 'joined';
    return this.#hasSyn ? 'failed' : 'joined';
  }

  /** The first segments of either direction give the start of its sequence numbers. */
  noteBase(segment: TcpSegment, sender: TcpDirection, receiver: TcpDirection): void {
    const isSyn = (segment.flags & tcpFlags.syn) !== 0;
    const hasAck = (segment.flags & tcpFlags.ack) !== 0;
    sender.baseSequence ??= isSyn ? segment.sequence : (segment.sequence - 1) | 0;
    // A SYN-ACK with a new number answers a SYN that the trace lacks.
    if (isSyn && hasAck) sender.baseSequence = segment.sequence;
    if (hasAck) receiver.baseSequence ??= (segment.acknowledgement - 1) | 0;
  }

  /** Returns the round-trip time of the handshake when this segment completes it: from the last SYN to the first segment that acknowledges. */
  noteHandshake(segment: TcpSegment): number | null {
    const { flags, timeNs } = segment;
    if ((flags & tcpFlags.syn) !== 0) this.#hasSyn = true;
    if ((flags & synOrAck) === tcpFlags.syn) this.#synNs = timeNs;
    if ((flags & tcpFlags.ack) === 0) return null;
    const isRefusal = (flags & tcpFlags.rst) !== 0;
    if (!isRefusal) this.#hasAnswer = true;
    if ((flags & tcpFlags.syn) !== 0 || this.#synNs === null || this.handshakeNs !== null || !(timeNs > this.#synNs))
      return null;
    this.handshakeNs = timeNs - this.#synNs;
    return isRefusal ? null : this.handshakeNs;
  }
}
