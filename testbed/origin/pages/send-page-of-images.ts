import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../exchange.ts';
import { linkObject } from '../object-link.ts';
import { countAtTop, renderImagesPage, type ImagesLayout } from './render-images-page.ts';

export interface PageOfImages {
  title: string;
  count: number;
  layout: ImagesLayout;
  /** The nth image: its path, and its name in the log. */
  image: (n: number) => { path: string; name: string };
  /** Of each image; the image's own where it is left out. */
  sizeBytes?: number | undefined;
}

/** Headers with more would be refused by clients. */
const mostNamed = 200;

/**
 * Sends a page of images. The page's `delayMs` holds back each of them, and its `pageDelayMs` the page. Before that, a 103 names the images
 * that `earlyHints` asks for (RFC 8297), and those of `push` are pushed (RFC 9113 section 8.4).
 */
export async function sendPageOfImages(
  exchange: Exchange,
  { title, count, layout, image, sizeBytes }: PageOfImages,
): Promise<void> {
  const { query } = exchange;
  const urls = Array.from({ length: count }, (_, index) =>
    linkObject(query, {
      ...image(index + 1),
      counts: index < countAtTop(layout) ? 'viewport' : 'total',
      delayMs: query.delayMs,
      sizeBytes,
      foreignUrl: null,
    }),
  );
  const first = (name: 'earlyHints' | 'preloadHeaders' | 'preloadHtml' | 'push') => {
    const named = Math.ceil((count * (query[name] ?? 0)) / 100);
    if (named > mostNamed && (name === 'earlyHints' || name === 'preloadHeaders'))
      throw new AppError('invalid-input', `${name} names ${named} images, and at most ${mostNamed} are possible`);
    return urls.slice(0, named);
  };
  const [early, inHeaders, preloaded] = [first('earlyHints'), first('preloadHeaders'), first('preloadHtml')];
  if (query.push !== undefined) await exchange.push(first('push'));
  if (early.length > 0) exchange.hint(early.map(linkPreload));
  await exchange.wait(query.pageDelayMs);
  const headers = inHeaders.length > 0 ? { link: inHeaders.map(linkPreload).join(', ') } : {};
  await exchange.send({ ...renderImagesPage({ title, layout, urls, preloaded }), headers });
}

function linkPreload(url: string): string {
  return `<${url}>; rel=preload; as=image`;
}
