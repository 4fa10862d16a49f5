import { createHash } from 'node:crypto';
import sharp from 'sharp';

export const imageWidthPx = 240;
export const imageHeightPx = 180;

/** With this the mean over many images is 10 kB. */
const jpegQuality = 75;

/**
 * The nth image of a seed: coarse coloured shapes under finer texture, so that a JPEG encoder has as much to do as with a
 * photograph, and some 10 kB are really needed.
 */
export async function generateImage(seed: number, n: number): Promise<Buffer> {
  const [coarse, fine] = await Promise.all([
    makeLayer(`${seed}/${n}/coarse`, { width: 8, height: 6 }),
    makeLayer(`${seed}/${n}/fine`, detailOf(n)),
  ]);
  return await sharp(coarse)
    .composite([{ input: fine, blend: 'soft-light' }])
    .jpeg({ quality: jpegQuality })
    .toBuffer();
}

/** Texture of four grades, so that the images differ in size as photographs do. */
function detailOf(n: number): { width: number; height: number } {
  const width = [60, 68, 76, 84][n % 4]!;
  return { width, height: (width * 3) / 4 };
}

async function makeLayer(seed: string, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const noise = createHash('shake256', { outputLength: width * height * 3 })
    .update(seed)
    .digest();
  return await sharp(noise, { raw: { width, height, channels: 3 } })
    .resize(imageWidthPx, imageHeightPx, { kernel: 'cubic', fit: 'fill' })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
