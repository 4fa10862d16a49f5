import type { ServerResponse } from 'node:http';
import { sendPixel, servePages, type PageServer } from './serve-pages.ts';

/** What the first view of the page needs, and what else counts, by path and in order. */
export const oddPage = {
  viewport: [
    '/closed.png',
    '/flaky.png',
    '/from-style.css',
    '/imported.css',
    '/nested.css',
    '/print.css',
    '/sheet.css',
  ],
  others: ['/', '/framed', '/framed.png', '/inserted.css', '/late.css'],
  /** What a server may have taken, of the three times in its header. */
  serverMs: 7,
};

/** The last is a time, the others are an instant and a number that no Snapshot takes. */
const serverTiming = `db;dur=1e15, total;dur=${Date.UTC(2027, 0)}, app;dur=${oddPage.serverMs}`;
const marks = `
  performance.mark('far', { startTime: 1e300 });
  performance.measure('long', { start: 0, end: 1e300 });
  for (let index = 0; index < 6000; index++) performance.mark('many');`;

/** What is asked for once content is shown did not hold it back. */
const onPaint = `
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    navigator.sendBeacon('/painted');
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/inserted.css' }));
  }).observe({ type: 'paint', buffered: true });`;

const page = (otherUrl: string) => `<!doctype html><title>odd</title><link rel=icon href=/own-icon.png>
  <link rel=stylesheet href=/sheet.css><style>@import "/from-style.css";</style>
  <link rel=stylesheet href=/late.css media=print onload="this.media = 'all'">
  <script>${onPaint}${marks}</script>
  <body><form name=querySelectorAll id=httpAeProbe></form><p>Text
  <div><template shadowrootmode=closed><img src=/closed.png width=20 height=20></template></div>
  <img src=/flaky.png width=20 height=20 onerror="this.onerror = null; this.src = '/flaky.png'">
  <iframe style="margin-top: 3000px" src="${otherUrl}/framed" onload="this.remove()"></iframe>`;

/**
 * A page of what real pages do, and simple ones do not: style sheets that come late, or by way of others; an image that comes at the second try; a frame that is removed; elements with the names of
 * the document's functions; times that are none. Of one Visit.
 */
export async function serveOddPage(): Promise<PageServer> {
  const painted = Promise.withResolvers<void>();
  let flakyCount = 0;
  // So no request says which sheet asked for it.
  const unnamed = { 'referrer-policy': 'no-referrer' };
  const css =
    (text: string, head = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/css', ...head }).end(text);
  const server: PageServer = await servePages({
    '/': (response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(server.otherUrl)),
    '/sheet.css': css('@import "/imported.css"; @import "/print.css" print;', {
      'server-timing': serverTiming,
      ...unnamed,
    }),
    '/imported.css': css('@import "/nested.css";', unnamed),
    '/nested.css': css('p { color: #123 }'),
    '/from-style.css': css('p { margin: 1px }'),
    '/print.css': css(''),
    '/late.css': (response) => void painted.promise.then(() => css('p { color: #321 }')(response)),
    '/inserted.css': css('p { padding: 1px }'),
    '/painted': (response) => {
      painted.resolve();
      response.writeHead(204).end();
    },
    '/closed.png': sendPixel,
    '/own-icon.png': sendPixel,
    '/flaky.png': (response) => (flakyCount++ === 0 ? void response.writeHead(503).end() : sendPixel(response)),
    // Its load event comes later than its last byte: it has an image.
    '/framed': (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><p>Framed<img src=/framed.png>'),
    '/framed.png': sendPixel,
  });
  return server;
}
