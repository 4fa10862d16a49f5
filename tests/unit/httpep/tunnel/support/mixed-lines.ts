import { duplexPair, type Duplex } from 'node:stream';

/** Lines between two ends, in memory. What is sent waits until it is released, line by line in the order that `choose` gives. */
export class MixedLines {
  readonly #waiting: { chunks: Buffer[]; to: Duplex }[] = [];
  readonly #choose: (count: number) => number;

  constructor(choose: (count: number) => number) {
    this.#choose = choose;
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

  /** Delivers one piece of one line. False when nothing waits. */
  release(): boolean {
    const lines = this.#waiting.filter(({ chunks }) => chunks.length > 0);
    if (lines.length === 0) return false;
    const { chunks, to } = lines[this.#choose(lines.length) % lines.length]!;
    const chunk = chunks.shift()!;
    if (!to.destroyed) to.write(chunk);
    return true;
  }

  #relay(from: Duplex, to: Duplex): void {
    const line = { chunks: [] as Buffer[], to };
    this.#waiting.push(line);
    from.on('data', (chunk: Buffer) => line.chunks.push(chunk));
    from.on('close', () => {
      line.chunks.length = 0;
      to.destroy();
    });
  }
}
