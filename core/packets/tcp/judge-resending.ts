import type { SegmentContext } from './segment-context.ts';
import { findings } from './findings.ts';
import { isBefore } from './sequence-order.ts';
import type { TcpSegment } from './tcp-segment.ts';

/** A fast retransmission follows the last duplicate acknowledgement within this time. */
const fastWithinNs = 20e6;
/** How far apart segments may come out of order while no handshake gave the round-trip time. */
const unknownRoundTripNs = 3e6;

/**
 * Whether a segment that takes up sequence numbers was sent again, or came out of order: at most one finding of the four. What
 * Wireshark decides in the same order, from what one point of capture can know.
 */
export function judgeResending(
  segment: TcpSegment,
  found: number,
  { sender, receiver, handshakeNs }: SegmentContext,
): number {
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
