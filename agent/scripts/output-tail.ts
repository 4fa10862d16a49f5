const halfBytes = 32 * 1024;

/** Keeps the first and the last 32 KiB of what a script printed, and says how much is left out between them. */
export class OutputTail {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #leftOutBytes = 0;

  add(chunk: Buffer): void {
    const room = halfBytes - this.#head.length;
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = Buffer.concat([this.#tail, chunk.subarray(room)]);
    const excess = Math.max(0, rest.length - halfBytes);
    this.#leftOutBytes += excess;
    this.#tail = rest.subarray(excess);
  }

  text(): string {
    const gap = this.#leftOutBytes > 0 ? `\n[${this.#leftOutBytes} bytes left out]\n` : '';
    return this.#head.toString() + gap + this.#tail.toString();
  }
}
