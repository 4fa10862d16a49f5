import { randomBytes } from 'node:crypto';
import { generateSizedImage } from './generate-sized-image.ts';
import { maximumImageBytes } from './image-bounds.ts';
import { rememberImages, type ImageSource } from './image-source.ts';

/** Images of one size differ up to here, and repeat from here on. */
const differentImages = 32;
/** What the images of one size may take together. */
const bytesOfOneSize = 4_000_000;
/** As many sizes are kept. */
const keptSizes = 24;

/** Images of an exact size, made once for each. */
export class SizedImages {
  readonly #seed: number;
  readonly #sources = new Map<number, ImageSource>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Makes all images of a size, so that no later request waits for them. */
  async prepare(sizeBytes: number): Promise<void> {
    const source = this.#sourceOf(sizeBytes);
    await Promise.all(Array.from({ length: countDifferent(sizeBytes) }, (_, index) => source(index + 1)));
  }

  /** The nth image, of exactly that many bytes. What an image has above a megabyte is random bytes after its end. */
  async read(n: number, sizeBytes: number): Promise<Buffer> {
    const imageBytes = Math.min(sizeBytes, maximumImageBytes);
    const image = await this.#sourceOf(imageBytes)(((n - 1) % countDifferent(imageBytes)) + 1);
    return sizeBytes === imageBytes ? image : Buffer.concat([image, randomBytes(sizeBytes - imageBytes)]);
  }

  #sourceOf(sizeBytes: number): ImageSource {
    const source =
      this.#sources.get(sizeBytes) ?? rememberImages((n) => generateSizedImage({ seed: this.#seed, n, sizeBytes }));
    this.#sources.delete(sizeBytes); // the last used is the last in order
    this.#sources.set(sizeBytes, source);
    if (this.#sources.size > keptSizes) this.#sources.delete(this.#sources.keys().next().value!);
    return source;
  }
}

function countDifferent(sizeBytes: number): number {
  return Math.max(1, Math.min(differentImages, Math.floor(bytesOfOneSize / sizeBytes)));
}
