import type { Exchange } from '../exchange.ts';
import { buildFont } from './build-font.ts';

const font = buildFont();

/** Fonts are always fetched with CORS, so other origins are allowed to have it. */
export async function sendFont(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({ type: 'font/ttf', body: font, headers: { 'access-control-allow-origin': '*' } });
}
