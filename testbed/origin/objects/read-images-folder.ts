import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { ImageSource } from './image-source.ts';

/** The JPEG files below a folder in the order of their paths, over and over. Throws `invalid-input` when there are none. */
export async function readImagesFolder(folder: string): Promise<ImageSource> {
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
