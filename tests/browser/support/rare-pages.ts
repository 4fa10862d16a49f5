import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { noIcon } from './serve-pages.ts';

/** How long the last image of each page takes. */
export const lastMs = 400;

const image = '<img src="/image?ms=100">';
const last = `/image?ms=${lastMs}`;
const script = (text: string) => `${image}<script>${text}</script>`;
const frame = (address: string) =>
  script(`const f = document.createElement('iframe'); f.src = ${address}; document.body.append(f);`);
const inner = `'<p>x<img src="' + location.origin + '${last}">'`;

/** Pages whose parts few pages have, by what each shows. */
const bodies: Record<string, string> = {
  'an audio worklet': script(
    `new OfflineAudioContext(1, 100, 44100).audioWorklet.addModule('/module').then(() => { new Image().src = '${last}'; })`,
  ),
  'a frame of blob': frame(`URL.createObjectURL(new Blob([${inner}], { type: 'text/html' }))`),
  'a frame of javascript': `${image}<iframe src="javascript:'<p>x<img src=${last}>'"></iframe>`,
  'an object': `${image}<object data="${last}" type="image/svg+xml"></object>`,
  'a text track': `<video preload=none poster="${last}"><track default src="/image?ms=100"></video>`,
  'a pixel without content': `<img src="/nothing"><img src="${last}">`,
  'a frame of a shadow tree that was redirected': script(
    `document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }).innerHTML = '<iframe src="/moved"></iframe>';`,
  ),
  'a question for a head alone': `<img src="${last}"><script>fetch('/head', { method: 'HEAD' });</script>`,
  'an answer that it stops reading': `<img src="${last}"><script>
    fetch('/endless').then(async (r) => { const reader = r.body.getReader(); await reader.read(); await reader.cancel(); });
  </script>`,
  'a transport that is refused': `<img src="${last}"><script>try { new WebTransport('https://127.0.0.1:1/').ready.catch(() => 0); } catch {}</script>`,
  'images that its worker answers': `<script>
    const worker = navigator.serviceWorker;
    if (worker.controller) document.write('<img src="${last}">');
    else {
      worker.addEventListener('controllerchange', () => location.reload());
      worker.register('/worker', { scope: location.pathname });
    }
  </script>`,
};

/** What comes before the body of some of them. */
const heads: Record<string, string> = {
  'a background of the canvas': `<style>body { margin: 0; background: url(${last}) } body > * { position: absolute }</style>`,
};

export const rarePages = [...Object.keys(bodies), ...Object.keys(heads)];

const worker = `
  oninstall = () => skipWaiting();
  onactivate = (e) => e.waitUntil(clients.claim());
  onfetch = (e) => { if (e.request.mode !== 'navigate') e.respondWith(fetch(e.request)); };`;

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>';

export const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;

export interface RarePages extends AsyncDisposable {
  url: string;
}

/** Serves them, `/again`, which leads to itself once by `<meta>`, `/with-icon`, whose icon never comes, and `/`, which leads to a page with an image of another origin, until disposed of. */
export async function serveRarePages(): Promise<RarePages> {
  let askedAgain = 0;
  const asPage = (body: string, head = '') => `<!doctype html><title>rare</title>${noIcon}${head}<p>A page${body}`;
  const pages = new Map(rarePages.map((name) => [pathOf(name), asPage(bodies[name] ?? image, heads[name])]));
  pages.set('/', asPage('<script>location = "/from-elsewhere"</script>'));
  pages.set('/with-icon', asPage(image).replace(noIcon, ''));
  pages.set('/framed', asPage(`<img src="${last}">`));
  const answers: Record<string, (response: ServerResponse, query: URLSearchParams) => void | Promise<void>> = {
    '/image': async (response, query) => {
      await sleep(Number(query.get('ms')));
      send(response, 'image/svg+xml', svg);
    },
    '/moved': (response) => void response.writeHead(302, { location: '/framed' }).end(),
    '/favicon.ico': () => undefined,
    '/head': (response) => void response.writeHead(200, { 'content-length': 5000 }).end(),
    '/from-elsewhere': (response) =>
      send(response, 'text/html', asPage(`<img src="http://localhost:${portOf(server)}${last}">`)),
    '/module': (response) => send(response, 'text/javascript', ''),
    '/worker': (response) => send(response, 'text/javascript', worker),
    '/nothing': (response) => void response.writeHead(204).end(),
    '/endless': async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      while (!response.destroyed) {
        response.write(' '.repeat(100));
        await sleep(50);
      }
    },
    '/again': (response) => {
      const isFirst = askedAgain++ % 2 === 0;
      send(response, 'text/html', asPage(`${isFirst ? '<meta http-equiv=refresh content=0>' : ''}<img src="${last}">`));
    },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const page = pages.get(pathname);
    if (page !== undefined) return send(response, 'text/html; charset=utf-8', page);
    const answer = answers[pathname];
    if (answer) return void answer(response, searchParams);
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function send(response: ServerResponse, type: string, body: string): void {
  if (!response.destroyed) response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
