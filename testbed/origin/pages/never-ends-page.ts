import type { Exchange } from '../exchange.ts';
import { linkObject } from '../object-link.ts';
import { renderPage } from './render-page.ts';

/** `/never-ends`: an image whose answer begins and never ends, so that the page never settles. */
export async function sendNeverEndsPage(exchange: Exchange): Promise<void> {
  const url = linkObject(exchange.query, {
    path: '/endless-image',
    name: 'endless-image',
    counts: 'viewport',
    delayMs: 0,
    foreignUrl: null,
  });
  await exchange.send(renderPage({ title: 'Never ends', body: `<img src="${url}" width=160 height=120 alt="">` }));
}
