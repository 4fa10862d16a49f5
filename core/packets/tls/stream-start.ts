/** The first bytes of a stream, put together from segments in any order, as far as they were captured. Bounded: what comes later is left out. */
export class StreamStart {
  static readonly maximumBytes = 16 * 1024;
  #bytes = new Uint8Array(0);
  #pieces: { start: number; end: number }[] = [];

  add(start: number, captured: Uint8Array): void {
    const end = Math.min(start + captured.length, StreamStart.maximumBytes);
    if (start < 0 || start >= end) return;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(StreamStart.maximumBytes, 2 * end));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(captured.subarray(0, end - start), start);
    this.#join({ start, end });
  }

  /** What is there without a gap. */
  read(): Uint8Array {
    const first = this.#pieces[0];
    return first?.start === 0 ? this.#bytes.subarray(0, first.end) : this.#bytes.subarray(0, 0);
  }

  #join(piece: { start: number; end: number }): void {
    const apart = this.#pieces.filter(({ start, end }) => end < piece.start || start > piece.end);
    const touching = this.#pieces.filter((each) => !apart.includes(each));
    const joined = {
      start: Math.min(piece.start, ...touching.map(({ start }) => start)),
      end: Math.max(piece.end, ...touching.map(({ end }) => end)),
    };
    this.#pieces = [...apart, joined].sort((a, b) => a.start - b.start);
  }
}
