import { duplexPair, type Duplex } from 'node:stream';
import type { HeldTime } from '#tests/support/held-time.ts';

/** Lines between two ends, in memory. What is sent comes so much later, by the time that the test holds. */
export class DelayedLines {
  delayMs: number;
  readonly #time: HeldTime;
  #isCut = false;
  /** What has come to the cut, in order. */
  #waiting: (() => void)[] = [];

  constructor(time: HeldTime, delayMs: number) {
    this.#time = time;
    this.delayMs = delayMs;
  }

  /** A new line, as each end sees it. */
  open(): [Duplex, Duplex] {
    const [left, leftMiddle] = duplexPair();
    const [rightMiddle, right] = duplexPair();
    this.#relay(leftMiddle, rightMiddle);
    this.#relay(rightMiddle, leftMiddle);
    for (const socket of [left, right, leftMiddle, rightMiddle]) socket.on('error', () => undefined);
    return [left, right];
  }

  /** Nothing passes any more, in either direction, and neither end is informed. */
  cut(): void {
    this.#isCut = true;
  }

  /** What was sent meanwhile comes now: TCP has sent it again. */
  resume(): void {
    this.#isCut = false;
    for (const deliver of this.#waiting.splice(0)) deliver();
  }

  #relay(from: Duplex, to: Duplex): void {
    from.on('data', (chunk: Buffer) => this.#carry(() => void (to.destroyed || to.write(chunk))));
    from.on('close', () => this.#carry(() => to.destroy()));
  }

  #carry(deliver: () => void): void {
    void this.#time.sleep(this.delayMs).then(() => {
      if (this.#isCut) this.#waiting.push(deliver);
      else deliver();
    });
  }
}
