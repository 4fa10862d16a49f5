import { chooseDecoder, prescanBytes } from './choose-encoding.ts';

/** Turns the bytes of a document into text as they come, once enough of them show how. */
export class TextReader {
  readonly #contentType: string;
  readonly #onText: (text: string) => void;
  #start: Uint8Array = new Uint8Array();
  #decoder: TextDecoder | null = null;

  constructor(contentType: string, onText: (text: string) => void) {
    this.#contentType = contentType;
    this.#onText = onText;
  }

  /** As far as it is known. */
  get encoding(): string {
    return this.#decoder?.encoding ?? 'utf-8';
  }

  write(chunk: Uint8Array): void {
    if (this.#decoder) {
      this.#onText(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    const start = new Uint8Array(this.#start.length + chunk.length);
    start.set(this.#start);
    start.set(chunk, this.#start.length);
    this.#start = start;
    // A Content-Type that names the encoding need not wait: what comes first is discovered first.
    if (start.length >= prescanBytes || (start.length >= 3 && /charset/i.test(this.#contentType))) this.#begin(start);
  }

  end(): void {
    if (!this.#decoder) this.#begin(this.#start);
    this.#onText(this.#decoder!.decode());
  }

  #begin(start: Uint8Array): void {
    this.#decoder = chooseDecoder(this.#contentType, start.subarray(0, prescanBytes));
    this.#start = new Uint8Array();
    this.#onText(this.#decoder.decode(start, { stream: true }));
  }
}
