import type { Exchange } from '../exchange.ts';
import { renderPage } from './render-page.ts';

/** `/slow-first-byte?delayMs=N`: a page whose answer begins after N ms. */
export async function sendSlowFirstBytePage(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  await exchange.send(renderPage({ title: 'Slow first byte', body: '<p>This page took its time.</p>' }));
}
