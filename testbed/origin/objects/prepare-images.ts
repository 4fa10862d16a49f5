import { SizedImages, type ImageSource, rememberImages } from './sized-images.ts';
import sharp from 'sharp';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#core/app-error.ts';
import { createHash } from 'node:crypto';

const imageWidthPx = 240;
const imageHeightPx = 180;

/** With this the mean over many images is 10 kB. */
const jpegQuality = 75;

/** Most page sets have no more; further images are made when they are first requested. */
const imagesMadeAtStart = 30;

export interface PreparedImages {
  images: ImageSource;
  /** The same images, small. */
  thumbnails: ImageSource;
  /** Generated ones of an exact size, also where a folder has the others. */
  sized: SizedImages;
}

/** The images of a folder, else generated ones, with the first of them in memory already: making them must delay no Visit. */
export async function prepareImages({
  folder,
  seed,
}: {
  folder: string | undefined;
  seed: number;
}): Promise<PreparedImages> {
  const images = rememberImages(folder === undefined ? (n) => generateImage(seed, n) : await readImagesFolder(folder));
  const thumbnails = rememberImages(async (n) => makeThumbnail(await images(n)));
  const first = folder === undefined ? thumbnails : images;
  await Promise.all(Array.from({ length: imagesMadeAtStart }, (_, index) => first(index + 1)));
  return { images, thumbnails, sized: new SizedImages(seed) };
}

/** An image of 64 px width, some 1 kB: what icons and lists of products are made of. */
async function makeThumbnail(image: Buffer): Promise<Buffer> {
  return await sharp(image).resize({ width: 64 }).jpeg({ quality: 60 }).toBuffer();
}

/** The JPEG files below a folder in the order of their paths, over and over. Throws `invalid-input` when there are none. */
async function readImagesFolder(folder: string): Promise<ImageSource> {
  const files = await listFiles(folder);
  const jpegs = files.filter((file) => /\.jpe?g$/i.test(file)).sort();
  if (jpegs.length === 0) {
    throw new AppError(
      'invalid-input',
      `The images folder ${folder} has no .jpg or .jpeg file: name a folder that has some`,
    );
  }
  return async (n) => await readFile(join(folder, jpegs[(n - 1) % jpegs.length]!));
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true });
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `The images folder ${folder} cannot be read: name an existing folder that you may read`,
      { cause },
    );
  }
}

/**
 * The nth image of a seed: coarse coloured shapes under finer texture, so that a JPEG encoder has as much to do as with a
 * photograph, and some 10 kB are really needed.
 */
async function generateImage(seed: number, n: number): Promise<Buffer> {
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
