import { TunnelError } from './tunnel-error.ts';

/** Puts the bytes of a stream in order, which come in pieces by any way and more than once. */
export class ByteOrder {
  /** The first byte that is missing. */
  #next = 0;
  #end: number | null = null;
  #ahead = new Map<number, Buffer>();

  /** Bytes that are in order, from the first on. */
  get orderedBytes(): number {
    return this.#next;
  }

  /** Whether all bytes came, up to the end. */
  get isWhole(): boolean {
    return this.#next === this.#end;
  }

  /** The pieces that are next in order now. Throws `protocol` for bytes after the end. */
  add(offset: number, bytes: Buffer): Buffer[] {
    if (this.#end !== null && offset + bytes.length > this.#end) throw beyondEnd();
    if (offset + bytes.length <= this.#next) return [];
    if ((this.#ahead.get(offset)?.length ?? 0) < bytes.length) this.#ahead.set(offset, bytes);
    if (offset > this.#next) return [];
    const ordered: Buffer[] = [];
    for (let piece = this.#takeNext(); piece; piece = this.#takeNext()) {
      ordered.push(piece);
      this.#next += piece.length;
    }
    return ordered;
  }

  /** Throws `protocol` for an end before bytes that came, or beside another one. */
  endAt(offset: number): void {
    const last = Math.max(this.#next, ...[...this.#ahead].map(([start, piece]) => start + piece.length));
    if ((this.#end !== null && this.#end !== offset) || last > offset) throw beyondEnd();
    this.#end = offset;
  }

  /** Copies are not made: a piece is usually what came. */
  #takeNext(): Buffer | null {
    const exact = this.#ahead.get(this.#next);
    if (exact) {
      this.#ahead.delete(this.#next);
      return exact;
    }
    for (const [start, piece] of this.#ahead) {
      if (start > this.#next) continue;
      this.#ahead.delete(start);
      if (start + piece.length > this.#next) return piece.subarray(this.#next - start);
    }
    return null;
  }
}

function beyondEnd(): TunnelError {
  return new TunnelError('protocol', 'A stream has bytes after its end');
}
