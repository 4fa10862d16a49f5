import { AppError } from '#core/app-error.ts';
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

/** `/page/COUNTxBYTES`: so many images of exactly that size, with the same text. */
export async function sendComposedPage(
  exchange: Exchange,
  { composition = '', sized }: { composition: string | undefined; sized: SizedImages },
): Promise<void> {
  const [count, bytes, ...rest] = composition.split('x');
  if (bytes === undefined || rest.length > 0)
    throw new AppError('invalid-input', `/page/COUNTxBYTES must look like /page/100x5000, not "/page/${composition}"`);
  await sendSizedPage(exchange, {
    count: readWholeNumber(count, { name: 'the number of objects', min: 1, max: maximumImageCount }),
    sizeBytes: readImageBytes(bytes, 'the size of an object in bytes'),
    layout: 'images',
    sized,
  });
}

/** Of an icon. */
export const iconBytes = 1_000;

/** `/icons/N`: so many images of a kilobyte, shown small. */
export async function sendIconsPage(
  exchange: Exchange,
  { count, sized }: { count: string | undefined; sized: SizedImages },
): Promise<void> {
  await sendSizedPage(exchange, {
    count: readWholeNumber(count, { name: 'the number of icons', min: 1, max: maximumImageCount }),
    sizeBytes: iconBytes,
    layout: 'icons',
    sized,
  });
}

interface SizedPage {
  count: number;
  sizeBytes: number;
  layout: 'images' | 'icons';
  sized: SizedImages;
}

async function sendSizedPage(exchange: Exchange, { count, sizeBytes, layout, sized }: SizedPage): Promise<void> {
  await sized.prepare(sizeBytes);
  const title = `${count} × ${sizeBytes} bytes`;
  const image = (n: number) => ({ path: `/image/${n}.jpg`, name: String(n) });
  await sendPageOfImages(exchange, { title, count, layout, image, sizeBytes });
}
