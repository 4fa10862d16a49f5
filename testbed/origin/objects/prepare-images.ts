import { generateImage } from './generate-image.ts';
import { type ImageSource, rememberImages } from './image-source.ts';
import { readImagesFolder } from './read-images-folder.ts';

/** Most page sets have no more; further images are made when they are first asked for. */
const imagesMadeAtStart = 30;

/** The images of a folder, else generated ones, with the first of them in memory already: making them must delay no Visit. */
export async function prepareImages({ folder, seed }: { folder: string | undefined; seed: number }): Promise<ImageSource> {
  const images = rememberImages(folder === undefined ? (n) => generateImage(seed, n) : await readImagesFolder(folder));
  await Promise.all(Array.from({ length: imagesMadeAtStart }, (_, index) => images(index + 1)));
  return images;
}
