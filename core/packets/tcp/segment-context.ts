import type { TcpDirection } from './tcp-direction.ts';

export interface SegmentContext {
  /** The direction that the segment goes, and the other. Both are brought up to date by the analysis. */
  sender: TcpDirection;
  receiver: TcpDirection;
  /** Of the connection's handshake; null while unknown. */
  handshakeNs: number | null;
}
