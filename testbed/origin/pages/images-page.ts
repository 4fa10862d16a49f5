import type { Exchange } from '../exchange.ts';
import { linkObject } from '../object-link.ts';
import { maxImages } from '../objects/send-image.ts';
import { readWholeNumber } from '../read-whole-number.ts';
import { pageText } from './page-text.ts';
import { renderPage } from './render-page.ts';

/** This many are at the top, within the first 700 × 500 px of any viewport; the others are below the first viewport. */
const imagesAboveTheFold = 12;

const style = `<style>
  body { margin: 8px; font: 16px/1.4 sans-serif }
  .top { width: 680px }
  .text { min-height: 100vh }
  img { width: 160px; height: 120px; margin: 2px }
</style>`;

interface ImagesPage {
  count: string | undefined;
  kind: 'image' | 'thumbnail';
}

/** `/images/N`: the same text on every page, and N images of about 10 kB; of `/thumbnails/N`, about 1 kB. The page's `delayMs` holds back each of them. */
export async function sendImagesPage(exchange: Exchange, { count, kind }: ImagesPage): Promise<void> {
  const images = readWholeNumber(count, { name: 'the number of images', min: 0, max: maxImages });
  const tags = Array.from({ length: images }, (_, index) => renderImage(exchange, { kind, n: index + 1 }));
  await exchange.send(
    renderPage({
      title: `${images} ${kind}s`,
      head: style,
      body: `<div class=top>${tags.slice(0, imagesAboveTheFold).join('\n')}</div>
<div class=text>${pageText}</div>
<div class=below>${tags.slice(imagesAboveTheFold).join('\n')}</div>`,
    }),
  );
}

function renderImage({ query }: Exchange, { kind, n }: { kind: ImagesPage['kind']; n: number }): string {
  const url = linkObject(query, {
    path: `/${kind}/${n}.jpg`,
    name: `${kind}-${n}`,
    counts: n <= imagesAboveTheFold ? 'viewport' : 'total',
    delayMs: query.delayMs,
    foreignUrl: null,
  });
  return `<img src="${url}" width=160 height=120 alt="">`;
}
