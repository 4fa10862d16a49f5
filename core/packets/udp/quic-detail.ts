import { z } from 'zod';
import { ByteSeriesAccumulator, ByteSeriesSchema } from '../measures/byte-series.ts';
import type { QuicDatagram } from './read-quic-datagram.ts';

export const QuicSchema = z.object({
  /** Milliseconds from the second that the trace begins in; null when not every packet of it has a time. */
  startMs: z.number().nullable(),
  endMs: z.number().nullable(),
  /** From the client's first Initial packet to its first datagram with keys of the handshake, or of what follows it. Null when one of them is not in the trace. */
  handshakeMs: z.number().nullable(),
  /** Whether the client sent data before the handshake was over. */
  hasZeroRtt: z.boolean(),
  throughput: ByteSeriesSchema,
});
export type Quic = z.infer<typeof QuicSchema>;

const maximumBins = 3_600;

/** What is kept of one QUIC connection for the report. */
export class QuicDetail {
  readonly version: string;
  readonly #startNs: number;
  readonly #throughput = new ByteSeriesAccumulator(maximumBins);
  #endNs: number;
  #initialNs: number | null = null;
  #handshakeNs: number | null = null;
  #hasZeroRtt = false;

  constructor(version: string, timeNs: number) {
    this.version = version;
    this.#startNs = timeNs;
    this.#endNs = timeNs;
  }

  /** Whether headers of the client can still show anything. */
  get isOpen(): boolean {
    return this.#handshakeNs === null;
  }

  add({ bytes, timeNs, epochMs }: { bytes: number; timeNs: number; epochMs: number | null }): void {
    this.#endNs = Math.max(this.#endNs, timeNs);
    if (epochMs !== null) this.#throughput.add(epochMs, bytes);
  }

  noteOfClient({ hasInitial, hasZeroRtt, hasLaterKeys }: QuicDatagram, timeNs: number): void {
    if (hasInitial) this.#initialNs ??= timeNs;
    this.#hasZeroRtt ||= hasZeroRtt;
    if (hasLaterKeys && this.#initialNs !== null) this.#handshakeNs ??= timeNs - this.#initialNs;
  }

  finish({ areTimesKnown }: { areTimesKnown: boolean }): Quic {
    const ms = (ns: number | null) => (areTimesKnown && ns !== null ? ns / 1e6 : null);
    return {
      startMs: ms(this.#startNs),
      endMs: ms(this.#endNs),
      handshakeMs: ms(this.#handshakeNs),
      hasZeroRtt: this.#hasZeroRtt,
      throughput: this.#throughput.finish(),
    };
  }
}
