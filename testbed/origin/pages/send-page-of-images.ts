import { AppError } from '#core/app-error.ts';
import type { Exchange, Content } from '../exchange.ts';
import { linkObject } from '../object-query.ts';
import { renderPage, pageText } from './render-page.ts';

/** How large images are shown, and how many of them are at the top, within the first 700 × 500 px of any viewport. */
const layouts = {
  images: { style: 'width: 160px; height: 120px; margin: 2px', countAtTop: 12 },
  icons: { style: 'width: 30px; height: 22px; margin: 1px; float: left', countAtTop: 360 },
} as const;

type ImagesLayout = keyof typeof layouts;

interface RenderedPage {
  title: string;
  layout: ImagesLayout;
  urls: readonly string[];
  /** Of these, those that its head asks for. */
  preloaded: readonly string[];
}

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
 * that `earlyHints` asks for (RFC 8297), and those of `push` are pushed (RFC 9113 section 8.4). They are at the page's own host, or spread over its `hosts`.
 */
export async function sendPageOfImages(
  exchange: Exchange,
  { title, count, layout, image, sizeBytes }: PageOfImages,
): Promise<void> {
  const { query } = exchange;
  const objectHosts = listObjectHosts(exchange, count);
  const urls = Array.from({ length: count }, (_, index) =>
    linkObject(query, {
      ...image(index + 1),
      counts: index < countAtTop(layout) ? 'viewport' : 'total',
      delayMs: query.delayMs,
      sizeBytes,
      foreignUrl: objectHosts?.[index] ?? null,
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

/** How many of its images, from the first on, are at the top. */
function countAtTop(layout: ImagesLayout): number {
  return layouts[layout].countAtTop;
}

/** The same text on every page, and images at the top and, those that have no room there, below the first viewport. */
function renderImagesPage({ title, layout, urls, preloaded }: RenderedPage): Content {
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

/**
 * Which of these hosts each object of a page is at, from the first object on. Host k of N has a share of 1/k of what the first has (Zipf), as few hosts of a page serve most of its
 * objects. Each object goes to the host that is furthest behind its share, the earlier one of equals: so any first part of the page is spread alike.
 */
export function spreadObjects(objects: number, hosts: number): number[] {
  const weights = Array.from({ length: hosts }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const given = weights.map(() => 0);
  return Array.from({ length: objects }, (_, index) => {
    const lacking = weights.map((weight, host) => ((index + 1) * weight) / sum - given[host]!);
    const host = lacking.indexOf(Math.max(...lacking));
    given[host]! += 1;
    return host;
  });
}

/** The base URL of each object of a page, over the scheme of the page, by its `hosts`; null where it has none. Throws `invalid-input`. */
function listObjectHosts({ query, hosts: names }: Exchange, objects: number): string[] | null {
  const { hosts, push } = query;
  if (hosts === undefined) return null;
  if (names.length === 0)
    throw new AppError(
      'invalid-input',
      'hosts needs a page of a host with a name: write "network.hosts" in the Scenario',
    );
  if (hosts > names.length)
    throw new AppError('invalid-input', `hosts is ${hosts}, and "network.hosts" of the Scenario has ${names.length}`);
  if (push !== undefined)
    throw new AppError('invalid-input', 'hosts cannot be used with push: a host pushes only what it serves itself');
  return spreadObjects(objects, hosts).map((host) => `//${names[host]}`);
}
