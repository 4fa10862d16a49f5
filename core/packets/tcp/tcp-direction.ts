import { UnacknowledgedSegments } from './unacknowledged-segments.ts';

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
  readonly unacknowledged = new UnacknowledgedSegments();
}
