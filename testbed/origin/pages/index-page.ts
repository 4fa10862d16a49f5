import type { Exchange } from '../exchange.ts';
import { renderPage } from './render-page.ts';

const pages = [
  'images/1',
  'images/10',
  'images/30',
  'images/10?sizeBytes=15000',
  'thumbnails/30',
  'page/100x5000',
  'page/25x20000',
  'page/5x100000',
  'page/300x5000',
  'page/75x20000',
  'page/15x100000',
  'page/500x5000',
  'page/125x20000',
  'page/25x100000',
  'icons/640',
  'hard-cases',
  'chain',
  'chain?scriptMs=80',
  'never-ends',
  'chunked',
  'slow-first-byte?delayMs=1000',
  'dialog',
  'popup',
  'account/sign-in',
  'task/server-update?by=websocket',
  'task/client-update?by=sse',
  'task/chat?by=long-polling',
];

/** `/`: what there is. */
export async function sendIndexPage(exchange: Exchange): Promise<void> {
  const list = pages.map((page) => `<li><a href="/${page}">${page}</a></li>`).join('\n');
  await exchange.send(
    renderPage({ title: 'HTTP-AE test origin', body: `<h1>HTTP-AE test origin</h1>\n<ul>\n${list}\n</ul>` }),
  );
}
