import type { Exchange } from '../exchange.ts';
import type { ImageSource } from './image-source.ts';

/**
 * Half an image, and after `delayMs` the end of the connection. The head goes first because browsers silently ask again
 * when a reused connection is reset before it.
 */
export async function sendBrokenImage(exchange: Exchange, images: ImageSource): Promise<void> {
  await sendHalf(exchange, await images(1));
  await exchange.wait(exchange.query.delayMs);
  exchange.breakOff();
}

/** Half an image, and then nothing for as long as the client waits. */
export async function sendEndlessImage(exchange: Exchange, images: ImageSource): Promise<void> {
  await sendHalf(exchange, await images(1));
  await exchange.waitForever();
}

async function sendHalf(exchange: Exchange, image: Buffer): Promise<void> {
  exchange.begin({ type: 'image/jpeg', headers: { 'content-length': image.length } });
  await exchange.write(image.subarray(0, image.length / 2));
}
