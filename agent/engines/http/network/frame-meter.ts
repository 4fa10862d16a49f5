const frameHeaderBytes = 9;
/** DATA, HEADERS and CONTINUATION: what an answer consists of. https://www.rfc-editor.org/rfc/rfc9113#section-6 */
const answerFrames: ReadonlySet<number> = new Set([0x0, 0x1, 0x9]);

const resetFrame = 0x3;
const goAwayFrame = 0x7;
/** HTTP_1_1_REQUIRED, a reason of either: https://www.rfc-editor.org/rfc/rfc9113#section-7 */
const http1Required = 0xd;

/**
 * Counts what an HTTP/2 connection receives for each of its streams: the frames of headers and bodies, with their frame headers. It also sees what the server ends
 * before its time.
 */
export class FrameMeter {
  /** Whether the server takes no further requests on the connection. https://www.rfc-editor.org/rfc/rfc9113#section-6.8 */
  isGoingAway = false;
  /** Whether it wants to be asked over HTTP/1.1. */
  isHttp1Required = false;
  readonly #bytesByStream = new Map<number, number>();
  readonly #resetStreams = new Set<number>();
  /** Of the payload of the present frame, as far as the four bytes of its reason; empty where it has none. */
  #reason = Buffer.alloc(0);
  #reasonLength = 0;
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
        this.#readReason(chunk.subarray(offset, offset + taken));
      }
      offset += taken;
      if (this.#headerLength === frameHeaderBytes) this.#beginFrame();
    }
  }

  bytesOf(stream: number): number {
    return this.#bytesByStream.get(stream) ?? 0;
  }

  /** Whether the server broke it off. */
  isReset(stream: number): boolean {
    return this.#resetStreams.has(stream);
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
    const type = this.#header[3]!;
    const stream = this.#header.readUInt32BE(5) & 0x7fffffff;
    if (type === goAwayFrame) this.isGoingAway = true;
    if (type === resetFrame) this.#resetStreams.add(stream);
    this.#reason = Buffer.alloc(type === resetFrame ? 4 : type === goAwayFrame ? 8 : 0);
    this.#reasonLength = 0;
    this.#stream = answerFrames.has(type) ? stream : null;
    this.#count(frameHeaderBytes);
  }

  #readReason(payload: Uint8Array): void {
    const part = payload.subarray(0, this.#reason.length - this.#reasonLength);
    if (part.length === 0) return;
    this.#reason.set(part, this.#reasonLength);
    this.#reasonLength += part.length;
    const isWhole = this.#reasonLength === this.#reason.length;
    if (isWhole && this.#reason.readUInt32BE(this.#reason.length - 4) === http1Required) this.isHttp1Required = true;
  }

  #count(bytes: number): void {
    if (this.#stream !== null) this.#bytesByStream.set(this.#stream, this.bytesOf(this.#stream) + bytes);
  }
}
