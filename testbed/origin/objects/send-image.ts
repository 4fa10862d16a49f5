import { randomBytes } from 'node:crypto';
import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../exchange.ts';
import { readWholeNumber } from '../read-whole-number.ts';
import type { ImageSource } from './image-source.ts';

export const maxImages = 200;

/** `/image/N.jpg` */
export async function sendImage(exchange: Exchange, name: string | undefined, images: ImageSource): Promise<void> {
  const n = readWholeNumber(name?.replace(/\.jpg$/, ''), { name: 'the image’s number', min: 1, max: maxImages });
  const image = await images(n);
  const body = exchange.query.sizeBytes === undefined ? image : lengthen(image, exchange.query.sizeBytes);
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({ type: 'image/jpeg', body });
}

/** Decoders stop at a JPEG's end, so bytes may follow it. They are random, lest something on the way compresses them. */
function lengthen(image: Buffer, sizeBytes: number): Buffer {
  if (sizeBytes < image.length) {
    throw new AppError(
      'invalid-input',
      `sizeBytes must be at least the image's own ${image.length} bytes, not ${sizeBytes}`,
    );
  }
  return Buffer.concat([image, randomBytes(sizeBytes - image.length)]);
}
