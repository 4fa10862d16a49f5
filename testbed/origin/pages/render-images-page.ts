import type { Content, Exchange } from '../exchange.ts';
import { linkObject } from '../object-link.ts';
import { pageText } from './page-text.ts';
import { renderPage } from './render-page.ts';

/** How large images are shown, and how many of them are at the top, within the first 700 × 500 px of any viewport. */
const layouts = {
  images: { style: 'width: 160px; height: 120px; margin: 2px', countAtTop: 12 },
  icons: { style: 'width: 30px; height: 22px; margin: 1px; float: left', countAtTop: 360 },
} as const;

export interface ImagesPage {
  title: string;
  count: number;
  layout: keyof typeof layouts;
  /** The nth image: its path, and its name in the log. */
  image: (n: number) => { path: string; name: string };
  /** Of each image; the image's own where it is left out. */
  sizeBytes?: number | undefined;
}

/** The same text on every page, and images at the top and, those that have no room there, below the first viewport. */
export function renderImagesPage({ query }: Exchange, { title, count, layout, image, sizeBytes }: ImagesPage): Content {
  const { style, countAtTop } = layouts[layout];
  const tags = Array.from({ length: count }, (_, index) => {
    const url = linkObject(query, {
      ...image(index + 1),
      counts: index < countAtTop ? 'viewport' : 'total',
      delayMs: query.delayMs,
      sizeBytes,
      foreignUrl: null,
    });
    return `<img src="${url}" alt>`;
  });
  return renderPage({
    title,
    head: `<style>
  body { margin: 8px; font: 16px/1.4 sans-serif }
  .top { width: 680px; display: flow-root }
  .text { min-height: 100vh }
  img { ${style} }
</style>`,
    body: `<div class=top>${tags.slice(0, countAtTop).join('\n')}</div>
<div class=text>${pageText}</div>
<div class=below>${tags.slice(countAtTop).join('\n')}</div>`,
  });
}
