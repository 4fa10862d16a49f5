import type { TcpDirection } from './tcp-connection.ts';
import { tcpFlags, type TcpSegment } from './tcp-segment.ts';
import { isBefore } from './unacknowledged-segments.ts';

/** A fast retransmission follows the last duplicate acknowledgement within this time. */
const fastWithinNs = 20e6;
/** How far apart segments may come out of order while no handshake gave the round-trip time. */
export const unknownRoundTripNs = 3e6;

const notPlain = tcpFlags.syn | tcpFlags.fin | tcpFlags.rst;

interface SegmentContext {
  /** The direction that the segment goes, and the other. Both are brought up to date by the analysis. */
  sender: TcpDirection;
  receiver: TcpDirection;
  /** Of the connection's handshake; null while unknown. */
  handshakeNs: number | null;
}

/** Finds what is special about a segment, and remembers it for the next ones. Returns bits of `findings`. */
export function analyseSegment(segment: TcpSegment, context: SegmentContext): number {
  const { sender, receiver } = context;
  let found = findWindowEvents(segment, sender, receiver);
  const hasAck = (segment.flags & tcpFlags.ack) !== 0;
  if (!hasAck || segment.acknowledgement !== sender.acknowledgement) sender.duplicateAcks = 0;
  if (segment.end !== segment.sequence) found |= judgeResending(segment, found, context);
  remember(segment, found, sender);
  return found;
}

function remember(segment: TcpSegment, found: number, sender: TcpDirection): void {
  const isProbe = (found & findings.zeroWindowProbe) !== 0;
  if (segment.end !== segment.sequence) {
    const isAmbiguous = (found & anyRetransmission) !== 0;
    if (isAmbiguous) sender.unacknowledged.markAmbiguous(segment.sequence, segment.end);
    sender.unacknowledged.add({ start: segment.sequence, end: segment.end, sentNs: segment.timeNs, isAmbiguous });
  }
  if (!isProbe && (sender.nextSequence === null || isBefore(sender.nextSequence, segment.end))) {
    sender.nextSequence = segment.end;
    sender.nextSequenceNs = segment.timeNs;
  }
  if (!isProbe && (sender.gaplessEnd === null || sender.gaplessEnd === segment.sequence))
    sender.gaplessEnd = sender.nextSequence;
  sender.window = segment.window;
  sender.acknowledgement = (segment.flags & tcpFlags.ack) === 0 ? null : segment.acknowledgement;
  sender.acknowledgementNs = segment.timeNs;
  sender.lastFindings = found;
}

/** Findings about windows, keep-alives, duplicate acknowledgements and gaps: all that a comparison with the segment before shows. */
function findWindowEvents(segment: TcpSegment, sender: TcpDirection, receiver: TcpDirection): number {
  const { sequence, payloadBytes, window } = segment;
  const isNext = sequence === sender.nextSequence;
  const isPlain = (segment.flags & notPlain) === 0;
  if (payloadBytes === 1 && isNext && receiver.window === 0) return findings.zeroWindowProbe;

  let found = 0;
  if (window === 0 && isPlain) found |= findings.zeroWindow;
  if (sender.nextSequence !== null) {
    if (isBefore(sender.nextSequence, sequence) && (segment.flags & tcpFlags.rst) === 0) found |= findings.lostSegment;
    if (payloadBytes <= 1 && sequence === ((sender.nextSequence - 1) | 0) && isPlain) found |= findings.keepAlive;
  }
  if (payloadBytes > 0 || !isNext || !isPlain || segment.acknowledgement !== sender.acknowledgement) return found;

  // From here on, a segment without payload that repeats the last acknowledgement.
  if (window !== sender.window) return window === 0 ? found : found | findings.windowUpdate;
  if (window === 0)
    return (receiver.lastFindings & findings.zeroWindowProbe) === 0 ? found : found | findings.zeroWindowProbeAck;
  if ((receiver.lastFindings & findings.keepAlive) !== 0) return found | findings.keepAliveAck;
  sender.duplicateAcks++;
  return found | findings.duplicateAck;
}

/**
 * Whether a segment that takes up sequence numbers was sent again, or came out of order: at most one finding of the four. What
 * Wireshark decides in the same order, from what one point of capture can know.
 */
function judgeResending(segment: TcpSegment, found: number, { sender, receiver, handshakeNs }: SegmentContext): number {
  const { sequence, end, payloadBytes } = segment;
  if ((found & findings.keepAlive) !== 0) return 0;
  const payloadEnd = (sequence + payloadBytes) | 0;
  if (payloadBytes > 0 && receiver.acknowledgement !== null && !isBefore(receiver.acknowledgement, payloadEnd))
    return findings.spuriousRetransmission;

  const isNew = sender.nextSequence === null || !isBefore(sequence, sender.nextSequence);
  // New data behind the byte of a zero window probe.
  const followsProbe = payloadBytes > 1 && sender.nextSequence !== null && sequence === ((sender.nextSequence - 1) | 0);
  if (isNew || followsProbe) return 0;

  const sinceAckNs = segment.timeNs - receiver.acknowledgementNs;
  if (receiver.duplicateAcks >= 2 && receiver.acknowledgement === sequence && isWithin(sinceAckNs, fastWithinNs))
    return findings.fastRetransmission;
  const sinceNextNs = segment.timeNs - sender.nextSequenceNs;
  if (isWithin(sinceNextNs, handshakeNs ?? unknownRoundTripNs) && sender.nextSequence !== end)
    return findings.outOfOrder;
  return findings.retransmission;
}

/** A time that goes back, as in a trace out of order, and one that is not known say nothing of how close two segments were. */
function isWithin(delayNs: number, limitNs: number): boolean {
  return delayNs >= 0 && delayNs < limitNs;
}

/**
 * What the analysis found in a segment, as bits. The names and rules are those of Wireshark's TCP analysis
 * (https://www.wireshark.org/docs/wsug_html_chunked/ChAdvTCPAnalysis.html), so that the counts can be held against it.
 */
export const findings = {
  retransmission: 1,
  fastRetransmission: 2,
  spuriousRetransmission: 4,
  outOfOrder: 8,
  duplicateAck: 16,
  zeroWindow: 32,
  zeroWindowProbe: 64,
  zeroWindowProbeAck: 128,
  keepAlive: 256,
  keepAliveAck: 512,
  windowUpdate: 1024,
  lostSegment: 2048,
} as const;

export const anyRetransmission =
  findings.retransmission | findings.fastRetransmission | findings.spuriousRetransmission;

const { syn, ack, fin, rst } = tcpFlags;

const none = {
  syn: 0,
  synAck: 0,
  fin: 0,
  rst: 0,
  pureAck: 0,
  retransmissions: 0,
  fastRetransmissions: 0,
  spuriousRetransmissions: 0,
  outOfOrder: 0,
  duplicateAcks: 0,
  zeroWindows: 0,
  keepAlives: 0,
};

/** How many segments had which flags and findings. */
export class FindingCounts {
  readonly #counts = { ...none };

  add({ flags, payloadBytes }: TcpSegment, found: number): void {
    const counts = this.#counts;
    if ((flags & syn) !== 0) {
      if ((flags & ack) === 0) counts.syn++;
      else counts.synAck++;
    }
    if ((flags & fin) !== 0) counts.fin++;
    if ((flags & rst) !== 0) counts.rst++;
    if (payloadBytes === 0 && (flags & (syn | fin | rst | ack)) === ack) counts.pureAck++;
    if (found === 0) return;
    if ((found & anyRetransmission) !== 0) counts.retransmissions++;
    if ((found & findings.fastRetransmission) !== 0) counts.fastRetransmissions++;
    if ((found & findings.spuriousRetransmission) !== 0) counts.spuriousRetransmissions++;
    if ((found & findings.outOfOrder) !== 0) counts.outOfOrder++;
    if ((found & findings.duplicateAck) !== 0) counts.duplicateAcks++;
    if ((found & findings.zeroWindow) !== 0) counts.zeroWindows++;
    if ((found & findings.keepAlive) !== 0) counts.keepAlives++;
  }

  read(): Readonly<typeof none> {
    return this.#counts;
  }
}
