import sharp from 'sharp';
import type { ImageFormat } from './compression.ts';

/** More takes too much memory. */
const maxPixels = 40_000_000;

// Images of several users are worked on at a time instead.
sharp.concurrency(1);

/** The image in that format and quality; null if that would be no shorter, or would lose more than detail: transparency, frames. */
export async function recompressImage(
  original: Buffer,
  { format, quality }: { format: ImageFormat; quality: number },
): Promise<Buffer | null> {
  try {
    const image = sharp(original, { limitInputPixels: maxPixels, autoOrient: true });
    const { pages = 1, hasAlpha } = await image.metadata();
    if (pages > 1 || (hasAlpha && format === 'jpeg')) return null;
    const packed = await (format === 'jpeg' ? image.jpeg({ quality }) : image.webp({ quality })).toBuffer();
    return packed.length < original.length ? packed : null;
  } catch {
    // It is no image, or a broken one: the browser gets what the web server sent.
    return null;
  }
}
