import { randomBytes, createHash } from 'node:crypto';
import { maximumImageBytes } from './object-numbers.ts';
import sharp from 'sharp';

/** Below this many bytes the tables of a JPEG in colour leave too little room for the picture. */
const colourFromBytes = 1_200;

/** About what the tables take, and what a pixel of the texture takes. The search below corrects both. */
const grey = { channels: 1, tableBytes: 165, bitsPerPixel: 2 } as const;
const colour = { channels: 3, tableBytes: 330, bitsPerPixel: 2.7 } as const;

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

/**
 * The nth JPEG of exactly that many bytes, at least 200. The picture takes most of them, and is as large as fits; the rest are random
 * bytes after its end, where decoders stop.
 */
async function generateSizedImage({
  seed,
  n,
  sizeBytes,
}: {
  seed: number;
  n: number;
  sizeBytes: number;
}): Promise<Buffer> {
  const name = `${seed}/${n}/${sizeBytes}`;
  const { channels, tableBytes, bitsPerPixel } = sizeBytes < colourFromBytes ? grey : colour;
  const pixels = Math.max(1, ((sizeBytes - tableBytes) * 8) / bitsPerPixel);
  let image: Buffer;
  let widthPx = Math.sqrt((pixels * 4) / 3);
  do {
    image = await encodeTexture(name, { channels, widthPx: Math.max(1, Math.round(widthPx)) });
    widthPx *= 0.95;
  } while (image.length > sizeBytes);
  return Buffer.concat([image, makeBytes(`${name}/rest`, sizeBytes - image.length)]);
}

async function encodeTexture(
  name: string,
  { channels, widthPx }: { channels: 1 | 3; widthPx: number },
): Promise<Buffer> {
  const heightPx = Math.max(1, Math.round((widthPx * 3) / 4));
  const width = Math.max(1, Math.round(widthPx * 0.3));
  const height = Math.max(1, Math.round(heightPx * 0.3));
  return await sharp(makeBytes(name, width * height * channels), { raw: { width, height, channels } })
    .resize(widthPx, heightPx, { kernel: 'cubic', fit: 'fill' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality: 75 })
    .toBuffer();
}

function makeBytes(name: string, outputLength: number): Buffer {
  return createHash('shake256', { outputLength }).update(name).digest();
}

/** The nth JPEG of a page set, from 1; always the same bytes for the same n. */
export type ImageSource = (n: number) => Promise<Buffer>;

/** Makes or reads each image once. */
export function rememberImages(source: ImageSource): ImageSource {
  const known = new Map<number, Promise<Buffer>>();
  return (n) => {
    const image = known.get(n) ?? source(n);
    known.set(n, image);
    return image;
  };
}
