import sharp from 'sharp';
import type { ImageFormat } from './compression.ts';

/** More takes too much memory: some 16 bytes each, beside what the image is. */
const maxPixels = 16_000_000;
/** Of a progressive JPEG, each of which goes over all pixels. Programs write about ten. */
const maxScans = 24;
const startOfScan = Buffer.of(0xff, 0xda);
/** What takes longer passes as it is. */
const maxSeconds = 2;

// Images of several users are worked on at a time instead.
sharp.concurrency(1);
// No image is worked on twice.
sharp.cache(false);

/**
 * The image in that format and quality; null if that would be no shorter, or would lose more than detail: transparency, frames. Null also for
 * one whose head says that it takes more than an image of its page needs: it is not decoded.
 */
export async function recompressImage(
  original: Buffer,
  { format, quality }: { format: ImageFormat; quality: number },
): Promise<Buffer | null> {
  if (!isPlainRaster(original)) return null;
  try {
    const image = sharp(original, { limitInputPixels: maxPixels, autoOrient: true });
    const { pages = 1, hasAlpha, width, height } = await image.metadata();
    if (pages > 1 || (hasAlpha && format === 'jpeg') || width * height > maxPixels) return null;
    image.timeout({ seconds: maxSeconds });
    const packed = await (format === 'jpeg' ? image.jpeg({ quality }) : image.webp({ quality })).toBuffer();
    return packed.length < original.length ? packed : null;
  } catch {
    // It is no image, or a broken one: the browser gets what the web server sent.
    return null;
  }
}

/** By its first bytes, which the decoder goes by too: a document such as SVG or PDF may ask for any amount of work. */
function isPlainRaster(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return countScans(bytes) <= maxScans;
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return !isAnimated(bytes);
  return /^RIFF[^]{4}WEBP$/.test(head);
}

/** Of a PNG: before its first pixels is how many frames it has. The decoder knows the first alone. https://www.w3.org/TR/png-3/#acTL-chunk */
function isAnimated(bytes: Buffer): boolean {
  const frames = bytes.indexOf('acTL', 0, 'latin1');
  return frames !== -1 && frames < bytes.indexOf('IDAT', 0, 'latin1');
}

/** Of a JPEG. Within compressed data, the byte 0xff never has this one after it. */
function countScans(bytes: Buffer): number {
  let count = 0;
  for (let place = bytes.indexOf(startOfScan); place !== -1; place = bytes.indexOf(startOfScan, place + 2)) count++;
  return count;
}
