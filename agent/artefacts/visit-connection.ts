import type { DecodedPacket } from '#core/packets/decode/decoded-packet.ts';
import { tcpFlags, type TcpSegment } from '#core/packets/tcp/tcp-segment.ts';
import { ApplicationBytes } from '#core/packets/tls/application-bytes.ts';

/**
 * No more than this is sent over TLS without a request: the preface of HTTP/2 with its settings (70 bytes of Chrome and Firefox), GOAWAY (17) and an
 * alert (2). The first request of a connection alone is longer.
 */
const mostWithoutRequestBytes = 128;

/** One TCP connection of a trace, as far as the Visits need it. */
export class VisitConnection<Visit> {
  /** Within which it was opened; null where that was between Visits, or before the trace. */
  readonly openedIn: Visit | null;
  readonly #isClientForward: boolean;
  /** The initial sequence number of the client; null where its SYN is not in the trace. */
  readonly #sequence: number | null;
  readonly #sent = new ApplicationBytes();

  constructor({ openedIn, segment, isForward }: { openedIn: Visit | null; segment: TcpSegment; isForward: boolean }) {
    const isOpening = opensConnection(segment);
    this.openedIn = isOpening ? openedIn : null;
    this.#sequence = isOpening ? segment.sequence : null;
    this.#isClientForward = isForward;
  }

  /** Whether a segment is the SYN of another connection between the same endpoints. */
  isFollowedBy(segment: TcpSegment): boolean {
    return opensConnection(segment) && segment.sequence !== this.#sequence;
  }

  add(
    segment: TcpSegment,
    { bytes, packet, isForward }: { bytes: Uint8Array; packet: DecodedPacket; isForward: boolean },
  ): void {
    if (this.#sequence === null || isForward !== this.#isClientForward || segment.payloadBytes === 0) return;
    const { payloadOffset, payloadBytes, sequence } = segment;
    const captured = bytes.subarray(payloadOffset, Math.min(payloadOffset + payloadBytes, packet.capturedEnd));
    this.#sent.add((sequence - this.#sequence - 1) | 0, { length: payloadBytes, captured });
  }

  /** Whether the client sent a request on it, as far as its packets show. */
  get hasRequest(): boolean {
    return this.#sent.bytes > (this.#sent.isTls ? mostWithoutRequestBytes : 0);
  }
}

export function opensConnection({ flags }: TcpSegment): boolean {
  return (flags & (tcpFlags.syn | tcpFlags.ack)) === tcpFlags.syn;
}
