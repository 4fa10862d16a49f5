import { generateImage } from './generate-image.ts';
import { type ImageSource, rememberImages } from './image-source.ts';
import { makeThumbnail } from './make-thumbnail.ts';
import { readImagesFolder } from './read-images-folder.ts';
import { SizedImages } from './sized-images.ts';

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
