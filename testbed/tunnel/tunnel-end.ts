import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import type { Enter } from '../namespaces/run-tool.ts';

/** One end of a tunnel. */
export interface TunnelEnd {
  namespace: string;
  enter: Enter;
  /** The tunnel's own packets are sent from here to the other end. */
  address: string;
  ipv6Address: string | null;
  /** By which it sends towards the other end. */
  interface: string;
  /** How TCP is set here; null at a node, which only hands packets on. */
  tcp: TcpSettings | null;
}

/** The end towards the origins and the one towards the users. */
export interface TunnelEnds {
  origin: TunnelEnd;
  user: TunnelEnd;
}

/** The mark of the tunnel's own packets, which separates them from those that belong into it (SO_MARK, socket(7)). */
export const tunnelMark = 0x6861;

/** The two interfaces of a tunnel that has its keys exchanged. Nothing is routed there yet. Disposing of it removes them. */
export interface TunnelDevice extends AsyncDisposable {
  /** What encrypts. */
  readonly program: string;
  /** What it adds to each IP packet, the outer IP header included. */
  readonly overheadBytes: number;
  /** Why it works no more; null while it does. */
  explainFailure(): string | null;
}
