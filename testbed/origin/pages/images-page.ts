import type { Exchange } from '../exchange.ts';
import { maximumImageCount, readImageBytes, readWholeNumber } from '../objects/object-numbers.ts';
import type { SizedImages } from '../objects/sized-images.ts';
import { sendPageOfImages } from './send-page-of-images.ts';

interface ImagesPage {
  count: string | undefined;
  kind: 'image' | 'thumbnail';
  sized: SizedImages;
}

/**
 * `/images/N`: the same text on every page, and N images of about 10 kB; of `/thumbnails/N`, about 1 kB. With `sizeBytes` each image has exactly
 * that size.
 */
export async function sendImagesPage(exchange: Exchange, { count, kind, sized }: ImagesPage): Promise<void> {
  const images = readWholeNumber(count, { name: 'the number of images', min: 0, max: maximumImageCount });
  const { sizeBytes } = exchange.query;
  if (sizeBytes !== undefined) await sized.prepare(readImageBytes(String(sizeBytes), 'sizeBytes of a page'));
  await sendPageOfImages(exchange, {
    title: `${images} ${kind}s`,
    count: images,
    layout: 'images',
    image: (n) => ({ path: `/${kind}/${n}.jpg`, name: `${kind}-${n}` }),
    sizeBytes,
  });
}
