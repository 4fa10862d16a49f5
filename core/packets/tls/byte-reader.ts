/** Reads fields one after the other from bytes that may end too early: then every further field is null. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** A big-endian number of `byteCount` bytes. */
  readNumber(byteCount: number): number | null {
    const field = this.readBytes(byteCount);
    return field === null ? null : field.reduce((number, byte) => number * 256 + byte, 0);
  }

  readBytes(byteCount: number): Uint8Array | null {
    if (this.#offset + byteCount > this.#bytes.length) {
      this.#offset = this.#bytes.length;
      return null;
    }
    this.#offset += byteCount;
    return this.#bytes.subarray(this.#offset - byteCount, this.#offset);
  }

  /** Bytes after their own length, as TLS writes its vectors. */
  readVector(lengthBytes: number): Uint8Array | null {
    const length = this.readNumber(lengthBytes);
    return length === null ? null : this.readBytes(length);
  }

  /** As `readVector`, but what there is of a vector that is cut off. */
  readCutVector(lengthBytes: number): { bytes: Uint8Array; isWhole: boolean } {
    const length = this.readNumber(lengthBytes);
    if (length === null) return { bytes: new Uint8Array(0), isWhole: false };
    const bytes = this.#bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return { bytes, isWhole: bytes.length === length };
  }
}
