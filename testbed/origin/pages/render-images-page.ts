import type { Content } from '../exchange.ts';
import { pageText } from './page-text.ts';
import { renderPage } from './render-page.ts';

/** How large images are shown, and how many of them are at the top, within the first 700 × 500 px of any viewport. */
const layouts = {
  images: { style: 'width: 160px; height: 120px; margin: 2px', countAtTop: 12 },
  icons: { style: 'width: 30px; height: 22px; margin: 1px; float: left', countAtTop: 360 },
} as const;

export type ImagesLayout = keyof typeof layouts;

/** How many of its images, from the first on, are at the top. */
export function countAtTop(layout: ImagesLayout): number {
  return layouts[layout].countAtTop;
}

interface RenderedPage {
  title: string;
  layout: ImagesLayout;
  urls: readonly string[];
  /** Of these, those that its head asks for. */
  preloaded: readonly string[];
}

/** The same text on every page, and images at the top and, those that have no room there, below the first viewport. */
export function renderImagesPage({ title, layout, urls, preloaded }: RenderedPage): Content {
  const tags = urls.map((url) => `<img src="${url}" alt>`);
  const preloads = preloaded.map((url) => `<link rel=preload as=image href="${url}">`);
  const atTop = countAtTop(layout);
  return renderPage({
    title,
    head: `${preloads.join('\n')}<style>
  body { margin: 8px; font: 16px/1.4 sans-serif }
  .top { width: 680px; display: flow-root }
  .text { min-height: 100vh }
  img { ${layouts[layout].style} }
</style>`,
    body: `<div class=top>${tags.slice(0, atTop).join('\n')}</div>
<div class=text>${pageText}</div>
<div class=below>${tags.slice(atTop).join('\n')}</div>`,
  });
}
