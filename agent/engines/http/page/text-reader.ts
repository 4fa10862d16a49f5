import { chooseDecoder, prescanBytes } from './choose-encoding.ts';

/** Turns the bytes of a document into text as they come, once enough of them show how. */
export class TextReader {
  readonly #contentType: string;
  readonly #onText: (text: string) => void;
  #start: Buffer[] = [];
  #decoder: TextDecoder | null = null;

  constructor(contentType: string, onText: (text: string) => void) {
    this.#contentType = contentType;
    this.#onText = onText;
  }

  write(chunk: Buffer): void {
    if (this.#decoder) {
      this.#onText(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    this.#start.push(chunk);
    const start = Buffer.concat(this.#start);
    // A Content-Type that names the encoding need not wait: what comes first is discovered first.
    if (start.length >= prescanBytes || (start.length >= 3 && /charset/i.test(this.#contentType))) this.#begin(start);
  }

  end(): void {
    if (!this.#decoder) this.#begin(Buffer.concat(this.#start));
    this.#onText(this.#decoder!.decode());
  }

  #begin(start: Buffer): void {
    this.#decoder = chooseDecoder(this.#contentType, start.subarray(0, prescanBytes));
    this.#start = [];
    this.#onText(this.#decoder.decode(start, { stream: true }));
  }
}
