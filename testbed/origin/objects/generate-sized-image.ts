import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** Below this many bytes the tables of a JPEG in colour leave too little room for the picture. */
const colourFromBytes = 1_200;

/** About what the tables take, and what a pixel of the texture takes. The search below corrects both. */
const grey = { channels: 1, tableBytes: 165, bitsPerPixel: 2 } as const;
const colour = { channels: 3, tableBytes: 330, bitsPerPixel: 2.7 } as const;

/**
 * The nth JPEG of exactly that many bytes, at least 200. The picture takes most of them, and is as large as fits; the rest are random
 * bytes after its end, where decoders stop.
 */
export async function generateSizedImage({
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
