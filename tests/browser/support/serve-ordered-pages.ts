import { noIcon, sendPixel, servePages, type PageServer } from './serve-pages.ts';

const size = 'width=60 height=60';
const gap = '<div style="height: 5000px"></div>';

/**
 * Pages whose objects end in one order on any machine: the browser asks for the second only when it has the first. What the image `/above.png` shows
 * is in the viewport, `/below.png` is far below it.
 */
export async function serveOrderedPages(): Promise<PageServer> {
  let endDocument: (() => void) | null = null;
  return servePages({
    // The image that is far below is in the document before the other may have loaded.
    '/viewport-then-total': `<!doctype html>${noIcon}<img ${size} id=below style="position: absolute; top: 5000px"><img ${size} src=/above.png onload="below.src = '/below.png'">`,
    '/total-then-viewport': `<!doctype html>${noIcon}<img ${size} id=shown>${gap}<img ${size} src=/below.png onload="shown.src = '/above.png'">`,
    // An event source says that the image is there, and is itself no part of the page.
    '/viewport-then-base': (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.write(
        `<!doctype html>${noIcon}<img ${size} src=/above.png onload="new EventSource('/arrived')"><p>Text`,
      );
      endDocument = () => response.end('<p>The end');
    },
    '/arrived': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      endDocument?.();
    },
    '/style-then-total': `<!doctype html>${noIcon}<link rel=stylesheet href=/style.css><p>Text`,
    '/style.css': (response) =>
      void response.writeHead(200, { 'content-type': 'text/css' }).end('body { background: url(/above.png) }'),
    '/above.png': sendPixel,
    '/below.png': sendPixel,
  });
}
