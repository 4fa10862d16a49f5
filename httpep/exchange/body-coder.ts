import { finished, type Transform } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createZstdCompress,
  createZstdDecompress,
} from 'node:zlib';

/** How bodies are compressed in the tunnel. */
export const codings = ['brotli', 'zstd'] as const;
export type Coding = (typeof codings)[number];

/** 2^18 bytes: most text is shorter, and a coder then takes a few MiB. */
const windowBits = 18;

const encoders: Record<Coding, () => Transform> = {
  brotli: () =>
    createBrotliCompress({
      // What was put in comes out at once: nothing waits for what comes later.
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_LGWIN]: windowBits,
      },
    }),
  zstd: () =>
    createZstdCompress({
      flush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_c_compressionLevel]: 12, [constants.ZSTD_c_windowLog]: windowBits },
    }),
};

const decoders: Record<Coding, () => Transform> = {
  brotli: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowBits } }),
};

/** Compresses a body, or unpacks it, piece by piece and in order. What comes out is taken before more goes in, so memory is bounded. */
export class BodyCoder implements Disposable {
  readonly #transform: Transform;
  #hasInput = false;
  #isOver = false;
  #failure: Error | null = null;
  #wake: () => void = () => undefined;

  private constructor(transform: Transform) {
    this.#transform = transform;
    transform.on('readable', () => this.#wake());
    finished(transform, (error) => {
      this.#isOver = true;
      this.#failure = error ?? null;
      this.#wake();
    });
  }

  static encode(coding: Coding): BodyCoder {
    return new BodyCoder(encoders[coding]());
  }

  static decode(coding: Coding): BodyCoder {
    return new BodyCoder(decoders[coding]());
  }

  /** What comes out for these bytes. Throws for what cannot be unpacked. */
  async *put(bytes: Buffer): AsyncGenerator<Buffer> {
    this.#hasInput = true;
    let isTaken = false;
    this.#transform.write(bytes, () => {
      isTaken = true;
      this.#wake();
    });
    yield* this.#takeUntil(() => isTaken);
  }

  /** What was left. A body that was empty stays empty. */
  async *end(): AsyncGenerator<Buffer> {
    if (!this.#hasInput) return;
    this.#transform.end();
    yield* this.#takeUntil(() => this.#isOver);
  }

  [Symbol.dispose](): void {
    this.#transform.destroy();
  }

  async *#takeUntil(isDone: () => boolean): AsyncGenerator<Buffer> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const isLast = isDone() || this.#isOver;
      for (let bytes = this.#read(); bytes !== null; bytes = this.#read()) yield bytes;
      if (this.#failure) throw this.#failure;
      if (isLast) return;
      await changed;
    }
  }

  #read(): Buffer | null {
    return this.#isOver ? null : (this.#transform.read() as Buffer | null);
  }
}
