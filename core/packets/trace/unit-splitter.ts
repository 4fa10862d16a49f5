import { viewChunk, type Chunk, type TraceFormat } from './trace-format.ts';

/**
 * Cuts chunks of any size into the units of a trace. Units within a chunk are read where they lie; only what lies across
 * the border of two chunks is copied.
 */
export class UnitSplitter {
  readonly #format: TraceFormat;
  #part: Chunk = viewChunk(new Uint8Array(256));
  #partBytes = 0;
  /** Bytes of the trace up to the end of the last whole unit. */
  readBytes = 0;

  constructor(format: TraceFormat) {
    this.#format = format;
  }

  get hasPart(): boolean {
    return this.#partBytes > 0;
  }

  push(bytes: Uint8Array): void {
    let offset = this.#completePart(bytes);
    const chunk = viewChunk(bytes);
    while (offset < bytes.length) {
      const availableBytes = bytes.length - offset;
      const unitBytes = this.#format.measureUnit(chunk, offset, availableBytes);
      if (unitBytes > availableBytes) break;
      this.#format.readUnit(chunk, offset, unitBytes);
      this.readBytes += unitBytes;
      offset += unitBytes;
    }
    this.#appendPart(bytes.subarray(offset));
  }

  /** Fills up the unit that began in an earlier chunk, with no more than it needs. Returns how many bytes that took. */
  #completePart(bytes: Uint8Array): number {
    let takenBytes = 0;
    while (this.#partBytes > 0) {
      const unitBytes = this.#format.measureUnit(this.#part, 0, this.#partBytes);
      if (unitBytes <= this.#partBytes) {
        this.#format.readUnit(this.#part, 0, unitBytes);
        this.readBytes += unitBytes;
        this.#partBytes = 0;
      } else if (takenBytes === bytes.length) {
        break;
      } else {
        const wantedBytes = Math.min(unitBytes - this.#partBytes, bytes.length - takenBytes);
        this.#appendPart(bytes.subarray(takenBytes, takenBytes + wantedBytes));
        takenBytes += wantedBytes;
      }
    }
    return takenBytes;
  }

  #appendPart(bytes: Uint8Array): void {
    const neededBytes = this.#partBytes + bytes.length;
    if (neededBytes > this.#part.bytes.length) {
      const larger = viewChunk(new Uint8Array(2 * neededBytes));
      larger.bytes.set(this.#part.bytes.subarray(0, this.#partBytes));
      this.#part = larger;
    }
    this.#part.bytes.set(bytes, this.#partBytes);
    this.#partBytes = neededBytes;
  }
}
