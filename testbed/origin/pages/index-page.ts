import type { Exchange } from '../exchange.ts';
import { renderPage } from './render-page.ts';

const pages = [
  'images/1',
  'images/10',
  'images/30',
  'thumbnails/30',
  'hard-cases',
  'never-ends',
  'chunked',
  'slow-first-byte?delayMs=1000',
  'dialog',
  'popup',
];

/** `/`: what there is. */
export async function sendIndexPage(exchange: Exchange): Promise<void> {
  const list = pages.map((page) => `<li><a href="/${page}">${page}</a></li>`).join('\n');
  await exchange.send(
    renderPage({ title: 'HTTP-AE test origin', body: `<h1>HTTP-AE test origin</h1>\n<ul>\n${list}\n</ul>` }),
  );
}
