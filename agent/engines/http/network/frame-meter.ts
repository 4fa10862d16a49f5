const frameHeaderBytes = 9;
/** DATA, HEADERS and CONTINUATION: what an answer consists of. https://www.rfc-editor.org/rfc/rfc9113#section-6 */
const answerFrames: ReadonlySet<number> = new Set([0x0, 0x1, 0x9]);

const goAwayFrame = 0x7;

/** Counts what an HTTP/2 connection receives for each of its streams: the frames of headers and bodies, with their frame headers. */
export class FrameMeter {
  /** Whether the server takes no further requests on the connection. https://www.rfc-editor.org/rfc/rfc9113#section-6.8 */
  isGoingAway = false;
  readonly #bytesByStream = new Map<number, number>();
  readonly #header = Buffer.alloc(frameHeaderBytes);
  #headerLength = 0;
  /** Of the payload of the present frame. */
  #restBytes = 0;
  #stream: number | null = null;

  /** Takes what was received, cut anywhere. */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) {
      const taken =
        this.#restBytes > 0 ? Math.min(this.#restBytes, chunk.length - offset) : this.#readHeader(chunk, offset);
      if (this.#restBytes > 0) {
        this.#restBytes -= taken;
        this.#count(taken);
      }
      offset += taken;
      if (this.#headerLength === frameHeaderBytes) this.#beginFrame();
    }
  }

  bytesOf(stream: number): number {
    return this.#bytesByStream.get(stream) ?? 0;
  }

  /** Returns how many bytes it took. */
  #readHeader(chunk: Uint8Array, offset: number): number {
    const part = chunk.subarray(offset, offset + frameHeaderBytes - this.#headerLength);
    this.#header.set(part, this.#headerLength);
    this.#headerLength += part.length;
    return part.length;
  }

  #beginFrame(): void {
    this.#headerLength = 0;
    this.#restBytes = this.#header.readUIntBE(0, 3);
    if (this.#header[3] === goAwayFrame) this.isGoingAway = true;
    this.#stream = answerFrames.has(this.#header[3]!) ? this.#header.readUInt32BE(5) & 0x7fffffff : null;
    this.#count(frameHeaderBytes);
  }

  #count(bytes: number): void {
    if (this.#stream !== null) this.#bytesByStream.set(this.#stream, this.bytesOf(this.#stream) + bytes);
  }
}
