import type { Exchange } from '../exchange.ts';
import { readWholeNumber } from '../read-whole-number.ts';
import { maximumImageCount } from './image-bounds.ts';
import type { ImageSource } from './image-source.ts';
import type { SizedImages } from './sized-images.ts';

/** `/image/N.jpg`, with `sizeBytes` an image of exactly that size. */
export async function sendImage(
  exchange: Exchange,
  name: string | undefined,
  { images, sized }: { images: ImageSource; sized: SizedImages },
): Promise<void> {
  const n = readWholeNumber(name?.replace(/\.jpg$/, ''), {
    name: 'the image’s number',
    min: 1,
    max: maximumImageCount,
  });
  const { sizeBytes, delayMs } = exchange.query;
  const body = await (sizeBytes === undefined ? images(n) : sized.read(n, sizeBytes));
  await exchange.wait(delayMs);
  await exchange.send({ type: 'image/jpeg', body });
}
