import { anyRetransmission, findings } from './findings.ts';
import { findWindowEvents } from './find-window-events.ts';
import { judgeResending } from './judge-resending.ts';
import { isBefore } from './sequence-order.ts';
import type { SegmentContext } from './segment-context.ts';
import type { TcpDirection } from './tcp-direction.ts';
import { tcpFlags, type TcpSegment } from './tcp-segment.ts';

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
  if (segment.end !== segment.sequence && !sender.unacknowledged.isFull) {
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
