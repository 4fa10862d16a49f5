import { findings } from './findings.ts';
import { isBefore } from './sequence-order.ts';
import type { TcpDirection } from './tcp-direction.ts';
import { tcpFlags, type TcpSegment } from './tcp-segment.ts';

const notPlain = tcpFlags.syn | tcpFlags.fin | tcpFlags.rst;

/** Findings about windows, keep-alives, duplicate acknowledgements and gaps: all that a comparison with the segment before shows. */
export function findWindowEvents(segment: TcpSegment, sender: TcpDirection, receiver: TcpDirection): number {
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
