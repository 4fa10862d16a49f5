import type { Exchange } from '../exchange.ts';
import { readWholeNumber } from '../read-whole-number.ts';

const partBytes = 2 ** 16;
const maximumBytes = 2 ** 28;

/** `/large/BYTES`: a page of that many bytes, all of them spaces after its first line. With `?chunks=2` or more its length is not sent; with `?delayMs` the rest comes that long after its first line. */
export async function sendLargePage(exchange: Exchange, bytes: string | undefined): Promise<void> {
  const start = '<!doctype html><title>A large page</title>\n';
  const length = readWholeNumber(bytes, { name: 'the number of bytes', min: start.length, max: maximumBytes });
  const isLengthSent = (exchange.query.chunks ?? 1) === 1;
  exchange.begin({ type: 'text/html; charset=utf-8', headers: isLengthSent ? { 'content-length': length } : {} });
  await exchange.write(start);
  await exchange.wait(exchange.query.delayMs);
  const part = Buffer.alloc(partBytes, ' ');
  for (let left = length - start.length; left > 0; left -= partBytes)
    await exchange.write(part.subarray(0, Math.min(left, partBytes)));
  exchange.end();
}

/** `/blank`: an answer that is all right but for its content, which has no byte. */
export async function sendBlankPage(exchange: Exchange): Promise<void> {
  await exchange.send({ type: 'text/html; charset=utf-8', body: '' });
}
