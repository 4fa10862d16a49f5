import { tcpFlags, type TcpSegment } from './tcp-segment.ts';

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
