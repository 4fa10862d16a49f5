import { largestFrameBytes } from '#core/evaluation/network/link-profile.ts';
import { DropTailQueue, type OnDrop, type PacketQueue, type WaitingPacket } from './drop-tail-queue.ts';

export interface CodelSettings {
  targetMs: number;
  intervalMs: number;
}

export interface CodelOptions<Packet> extends CodelSettings {
  limitBytes: number;
  onDrop: OnDrop<Packet>;
}

/** RFC 8289, 5.6: after a pause shorter than this many intervals, dropping continues at the rate at which it ended. */
const resumeWithinIntervals = 16;

/**
 * A queue that drops from its head while packets have waited longer than the target for a whole interval: Controlled Delay, after the pseudocode of
 * RFC 8289, section 5. A queue of one full packet or less drops nothing. What finds no room is dropped, too.
 */
export class CodelQueue<Packet> implements PacketQueue<Packet> {
  readonly #options: CodelOptions<Packet>;
  readonly #waiting: DropTailQueue<Packet>;
  /** From when on a packet that waited too long may be dropped; null while none does. */
  #firstAboveMs: number | null = null;
  #isDropping = false;
  #dropNextMs = 0;
  /** Drops since dropping began, and as it began. */
  #count = 0;
  #lastCount = 0;

  constructor(options: CodelOptions<Packet>) {
    this.#options = options;
    this.#waiting = new DropTailQueue(options.limitBytes);
  }

  get packets(): number {
    return this.#waiting.packets;
  }

  get bytes(): number {
    return this.#waiting.bytes;
  }

  hasRoom(sizeBytes: number): boolean {
    return this.#waiting.hasRoom(sizeBytes);
  }

  add(waiting: WaitingPacket<Packet>): void {
    this.#waiting.add(waiting);
  }

  /** Takes so many packets from the head, to be dropped. */
  dropFirst(count: number): WaitingPacket<Packet>[] {
    return Array.from({ length: count }, () => this.#waiting.take()).filter((each) => each !== undefined);
  }

  clear(): WaitingPacket<Packet>[] {
    return this.#waiting.clear();
  }

  take(atMs: number): WaitingPacket<Packet> | undefined {
    let next = this.#takeOne(atMs);
    if (this.#isDropping) {
      if (!next.mayDrop) this.#isDropping = false;
      while (this.#isDropping && atMs >= this.#dropNextMs && next.waiting) {
        this.#options.onDrop(next.waiting);
        this.#count += 1;
        next = this.#takeOne(atMs);
        if (next.mayDrop) this.#dropNextMs = this.#controlLaw(this.#dropNextMs);
        else this.#isDropping = false;
      }
    } else if (next.mayDrop && next.waiting) {
      this.#options.onDrop(next.waiting);
      next = this.#takeOne(atMs);
      this.#isDropping = true;
      const delta = this.#count - this.#lastCount;
      const isSoon = atMs - this.#dropNextMs < resumeWithinIntervals * this.#options.intervalMs;
      this.#count = delta > 1 && isSoon ? delta : 1;
      this.#dropNextMs = this.#controlLaw(atMs);
      this.#lastCount = this.#count;
    }
    return next.waiting;
  }

  /** The next time to drop: drops become more frequent with the square root of their number. */
  #controlLaw(fromMs: number): number {
    return fromMs + this.#options.intervalMs / Math.sqrt(this.#count);
  }

  #takeOne(atMs: number): { waiting: WaitingPacket<Packet> | undefined; mayDrop: boolean } {
    const waiting = this.#waiting.take();
    const isBelow =
      !waiting || atMs - waiting.arrivedMs < this.#options.targetMs || this.#waiting.bytes <= largestFrameBytes;
    if (isBelow) {
      this.#firstAboveMs = null;
      return { waiting, mayDrop: false };
    }
    this.#firstAboveMs ??= atMs + this.#options.intervalMs;
    return { waiting, mayDrop: atMs >= this.#firstAboveMs };
  }
}
