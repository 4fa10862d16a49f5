import { countWireBytes } from './count-wire-bytes.ts';

/** So many bytes had been sent, or had arrived. */
export interface Moment {
  /** Above TCP, since a start. */
  bytes: number;
  atMs: number;
}

/** Some bytes that were sent without a pause, and when they arrived. */
export class Trial {
  /** Whether it was sent faster than the link is thought to be. */
  readonly isProbe: boolean;
  readonly #sent: Moment[] = [];
  #wireBytes = 0;
  #first: Moment | null = null;
  #last: Moment | null = null;
  #leastDelayMs = Infinity;
  #hasArrived = false;

  constructor({ isProbe }: { isProbe: boolean }) {
    this.isProbe = isProbe;
  }

  /** How long it took to send what is in it. */
  get sentMs(): number {
    return this.#sent.at(-1)!.atMs - this.#sent[0]!.atMs;
  }

  /** Without the first piece, which only marks the beginning. */
  get sentBytes(): number {
    return this.#sent.at(-1)!.bytes - this.#sent[0]!.bytes;
  }

  get hasArrived(): boolean {
    return this.#hasArrived;
  }

  noteSent(sent: Moment): void {
    const before = this.#sent.at(-1);
    if (before) this.#wireBytes += countWireBytes(sent.bytes - before.bytes);
    this.#sent.push(sent);
  }

  /** Returns when the byte that arrived last was sent; null if that was not in this trial. */
  noteArrival(arrival: Moment): number | null {
    if (arrival.bytes >= this.#sent.at(-1)!.bytes) this.#hasArrived = true;
    if (arrival.bytes < this.#sent[0]!.bytes || arrival.bytes > this.#sent.at(-1)!.bytes) return null;
    this.#first ??= arrival;
    this.#last = arrival;
    const sentAtMs = this.#whenSent(arrival.bytes);
    this.#leastDelayMs = Math.min(this.#leastDelayMs, arrival.atMs - sentAtMs);
    return sentAtMs;
  }

  /**
   * The rate at which it was sent, that at which it arrived, the least delay from sending to arrival, by two clocks, and by how much the
   * delay grew; null if too little was reported to say.
   */
  measure(): { sentKbps: number; arrivedKbps: number; leastDelayMs: number; delayGrowthMs: number } | null {
    if (!this.#first || !this.#last) return null;
    const bytes = this.#last.bytes - this.#first.bytes;
    if (bytes < this.sentBytes / 2) return null;
    const wireBits = 8 * bytes * (this.#wireBytes / this.sentBytes);
    const sentMs = this.#whenSent(this.#last.bytes) - this.#whenSent(this.#first.bytes);
    const arrivedMs = this.#last.atMs - this.#first.atMs;
    if (!(sentMs > 0 && arrivedMs > 0)) return null;
    return {
      sentKbps: wireBits / sentMs,
      arrivedKbps: wireBits / arrivedMs,
      leastDelayMs: this.#leastDelayMs,
      delayGrowthMs: arrivedMs - sentMs,
    };
  }

  /** When the last of so many bytes was sent. */
  #whenSent(bytes: number): number {
    return this.#sent.find((sent) => sent.bytes >= bytes)!.atMs;
  }
}
