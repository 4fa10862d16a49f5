import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { noIcon } from './serve-pages.ts';

export interface ReportPages extends AsyncDisposable {
  url: string;
  /** The same pages as another origin. */
  otherUrl: string;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  otherUrl: string;
}

const script = (text: string) => `<img src="/image?ms=300"><script>${text}</script>`;
const call = (path: string, more = '') => script(`fetch("${path}")${more}`);

/** Bodies of pages, each made after a public report; the tests name it. */
const bodies: Record<string, string | ((otherUrl: string) => string)> = {
  'unread-length': call('/json?length'),
  'unread-chunk': call('/chunk'),
  'unread-empty': call('/empty'),
  'unread-204': call('/status/204'),
  'unread-late': script('onload = () => fetch("/json?length")'),
  'unread-in-worker': script('new Worker("/worker-that-fetches")'),
  'worker-of-worker': script('new Worker("/worker-that-starts")'),
  'empty-worker-of-worker': script('new Worker("/worker-that-starts-nothing")'),
  'event-stream': call('/events', '.then(async (r) => { for await (const part of r.body); })'),
  preflight: (otherUrl) => script(`fetch("${otherUrl}/shared", { headers: { "x-own": "1" } }).then((r) => r.text())`),
  beacon: script('navigator.sendBeacon("/hang", "x")'),
  socket: script('new WebSocket(`ws://${location.host}/hang`)'),
  music: script('onload = () => new Audio("/hang").load()'),
  manifest: '<link rel=manifest href="/hang"><img src="/image?ms=300">',
  'frame-204': '<img src="/image?ms=100"><iframe src="/status/204"></iframe>',
  'frame-205': '<img src="/image?ms=100"><iframe src="/status/205"></iframe>',
  'frame-file': '<img src="/image?ms=100"><iframe src="/file"></iframe>',
  'frame-denied': '<img src="/image?ms=100"><iframe src="/denied"></iframe>',
  'frame-not-ancestor': '<img src="/image?ms=100"><iframe src="/not-ancestor"></iframe>',
  'frame-removed':
    '<img src="/image?ms=300"><iframe id=f src="/hang"></iframe><script>setTimeout(() => f.remove(), 150)</script>',
  'image-locked': '<img src="/locked"><img src="/image?ms=300">',
  'frame-locked': '<iframe src="/locked"></iframe><img src="/image?ms=300">',
  'fetch-locked': call('/locked'),
  'other-locked': (otherUrl) =>
    `<img src="${otherUrl}/locked"><iframe src="${otherUrl}/locked"></iframe><img src="/image?ms=300">`,
  aborted: script(
    'const c = new AbortController(); fetch("/hang", { signal: c.signal }).catch(() => 0); setTimeout(() => c.abort(), 150)',
  ),
  withheld: (otherUrl) => `<img src="/image?ms=300"><img src="${otherUrl}/same-origin-image">`,
  unreadable: (otherUrl) => call(`${otherUrl}/json?length`, '.catch(() => 0)'),
  refused: (otherUrl) => call(`${otherUrl}/json`, '.catch(() => 0)').replace('")', '", { method: "PUT" })'),
  camera: '<img src="/image?ms=300"><img src="/pictures">',
  'broken-off': '<img src="/image?ms=300"><img src="/broken">',
  elsewhere: script('location.href = "/landing"'),
  'elsewhere-late': '<img src="/image?ms=2000"><script>setTimeout(() => { location.href = "/landing" }, 100)</script>',
  'to-blank': script('location.replace("about:blank")'),
  'to-blob': script('location.href = URL.createObjectURL(new Blob(["<p>Inner"], { type: "text/html" }))'),
  'hands-out': '<p>A page<script>onload = () => { location.href = "/file" }</script>',
  'leads-to-none': script('location.href = "/closes"'),
  'leads-to-mail': script('onload = () => { location.href = "/moved?to=mailto:a@b.test" }'),
  landing: '<img src="/image?ms=200&landing">',
  'leaves-at-rest': `${'<p><b>x</b></p>'.repeat(4000)}<script>onload = () => setTimeout(() => { location.href = '/landing' }, 560)</script>`,
  'taken-over': `<img src="/image?ms=300"><script>
    const had = navigator.serviceWorker.controller !== null;
    // The first document is still loading when the worker takes it over.
    if (!had) new Image().src = '/image?ms=10000';
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (!had && !sessionStorage.again) { sessionStorage.again = 1; location.reload(); }
    });
    navigator.serviceWorker.register('/service-worker');
  </script>`,
  prints: script('onload = () => print()'),
  'prints-in-frame': '<img src="/image?ms=300"><iframe src="/printing"></iframe>',
  'frame-of-sound': '<img src="/image?ms=300"><iframe src="/sound"></iframe>',
  'frame-of-pdf': '<img src="/image?ms=300"><iframe src="/pdf"></iframe>',
  'frame-transformed': '<img src="/image?ms=100"><iframe src="/transformed"></iframe>',
  'embedded-picture': '<embed src="/picture" width="100" height="100"><p><img src="/image?ms=100">',
  sprite: '<svg width="60" height="40"><use href="/drawing#a"/></svg><img src="/image?ms=100">',
  'frame-forbidden': '<img src="/image?ms=300"><iframe src="/landing"></iframe>',
  'redirect-forbidden': (otherUrl) => `<img src="/image?ms=300"><img src="/moved?to=${otherUrl}/image">`,
  'script-is-html':
    '<img src="/image?ms=300"><script src="/landing"></script><script type=module src="/landing"></script>',
  'reports-breach': script('0'),
  'reports-as-it-goes':
    '<img src="/image?ms=300"><script>onpagehide = () => fetch("/hang", { keepalive: true }); setTimeout(() => { location.href = "/landing" }, 100)</script>',
  'worker-that-fails': script(`
    navigator.serviceWorker.addEventListener('controllerchange', () => { new Image().src = '/image?fails'; });
    navigator.serviceWorker.register('/service-worker-that-fails');`),
  'loads-ahead':
    '<script type=speculationrules>{"prerender":[{"source":"list","urls":["/landing"],"eagerness":"immediate"}]}</script><img src="/image?ms=300">',
};

/** Of those that have a policy, and break it. */
const policies: Record<string, Record<string, string>> = {
  'frame-forbidden': { 'content-security-policy': "frame-src 'none'" },
  'redirect-forbidden': { 'content-security-policy': "img-src 'self' data:" },
  'script-is-html': { 'x-content-type-options': 'nosniff' },
  'reports-breach': { 'content-security-policy-report-only': "script-src 'none'; report-uri /hang" },
};

const scripts: Record<string, string> = {
  'worker-that-fetches': 'fetch("/json?length")',
  'worker-that-starts': 'new Worker("/worker-that-reads")',
  'worker-that-starts-nothing': 'new Worker("/nothing")',
  'worker-that-reads': 'fetch("/json").then((r) => r.text())',
  nothing: '',
  'service-worker-that-fails': `
    oninstall = () => skipWaiting();
    onactivate = (e) => e.waitUntil(clients.claim());
    onfetch = (e) => e.request.url.endsWith('fails') && e.respondWith(Response.error());`,
  'service-worker': `
    oninstall = (e) => { skipWaiting(); e.waitUntil(caches.open('c').then((c) => c.addAll(['/taken-over', '/image?ms=300']))); };
    onactivate = (e) => e.waitUntil(clients.claim());
    onfetch = (e) => e.respondWith(caches.match(e.request).then((hit) => hit ?? fetch(e.request)));`,
};

const answers: Record<string, (exchange: Exchange) => void | Promise<void>> = {
  image: async ({ response, query }) => {
    await sleep(Number(query.get('ms')));
    send(
      response,
      { 'content-type': 'image/svg+xml' },
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>',
    );
  },
  json: async ({ response, query }) => {
    await sleep(100);
    send(response, { 'content-type': 'application/json', ...(query.has('length') && { 'content-length': '2' }) }, '{}');
  },
  chunk: async ({ response }) => {
    await sleep(100);
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }).end('{}');
  },
  shared: async ({ request, response }) => {
    await sleep(100);
    const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-own' };
    if (request.method === 'OPTIONS') response.writeHead(204, allowed).end();
    else send(response, allowed, '{}');
  },
  instructed: ({ response }) =>
    send(
      response,
      { 'content-type': 'application/xhtml+xml' },
      '<?xml-stylesheet href="/sheet"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>instructed</title><link rel="icon" href="data:,"/></head><body><p>A page</p></body></html>',
    ),
  sheet: async ({ response }) => {
    await sleep(300);
    send(response, { 'content-type': 'text/css' }, 'p { color: green }');
  },
  transformed: ({ response }) =>
    send(
      response,
      { 'content-type': 'application/xml' },
      '<?xml-stylesheet type="text/xsl" href="/transformation"?><list/>',
    ),
  transformation: async ({ response }) => {
    await sleep(100);
    const html = `<html><head><title>made</title><link rel="icon" href="data:,"/></head><body><img src="/image?ms=300"/></body></html>`;
    const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html"/><xsl:template match="/">${html}</xsl:template></xsl:stylesheet>`;
    send(response, { 'content-type': 'text/xsl' }, sheet);
  },
  printing: ({ response }) =>
    send(response, { 'content-type': 'text/html' }, '<p>x<script>onload = () => print()</script>'),
  sound: ({ response }) => send(response, { 'content-type': 'audio/wav' }, makeSound()),
  pdf: ({ response }) => send(response, { 'content-type': 'application/pdf' }, '%PDF-1.4\n%%EOF\n'),
  picture: ({ response }) =>
    send(
      response,
      { 'content-type': 'image/svg+xml' },
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="/image?ms=500" width="60" height="40"/></svg>',
    ),
  drawing: async ({ response }) => {
    await sleep(500);
    const drawing = '<g id="a"><rect width="60" height="40"/></g>';
    send(response, { 'content-type': 'image/svg+xml' }, `<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`);
  },
  moved: async ({ response, query }) => {
    // Once it has failed, the element would ask again for what was asked for ahead of it.
    await sleep(100);
    response.writeHead(302, { location: query.get('to')! }).end();
  },
  empty: ({ response }) => send(response, { 'content-length': '0' }, ''),
  events: ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: 1\n\n'), 200);
    response.on('close', () => clearInterval(timer));
  },
  pictures: ({ response }) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=next' });
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>';
    const write = () => response.write(`--next\r\ncontent-type: image/svg+xml\r\n\r\n${picture}\r\n`);
    write();
    const timer = setInterval(write, 200);
    response.on('close', () => clearInterval(timer));
  },
  'stops-itself': ({ response }) => {
    const page = `<!doctype html><title>stops</title>${noIcon}<p>A page<img src="/image?ms=0">`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    // It never ends by itself.
    response.write(`${page}<script>setTimeout(() => window.stop(), 500)</script>${' '.repeat(5000)}`);
  },
  // No browser keeps what may not be stored.
  'goes-and-comes-back': ({ response }) => keep(response, `<img src="/image?ms=100">${leaveOnceFor('/goes-back')}`),
  'goes-back': ({ response }) =>
    keep(response, '<img src="/hang"><script>setTimeout(() => history.back(), 200)</script>'),
  'goes-and-comes-back-late': ({ response }) =>
    keep(response, `<img src="/image?ms=100">${leaveOnceFor('/goes-back-late')}`),
  'goes-back-late': ({ response }) =>
    keep(response, '<img src="/image?ms=50"><script>onload = () => setTimeout(() => history.back(), 200)</script>'),
  hang: () => undefined,
  closes: ({ request }) => void request.socket.destroy(),
  file: ({ response }) =>
    send(response, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }, 'x'.repeat(2000)),
  denied: ({ response }) => send(response, { 'content-type': 'text/html', 'x-frame-options': 'DENY' }, '<p>framed'),
  'not-ancestor': ({ response }) =>
    send(response, { 'content-type': 'text/html', 'content-security-policy': "frame-ancestors 'none'" }, '<p>framed'),
  locked: ({ response }) => {
    response
      .writeHead(401, { 'www-authenticate': 'Basic realm="reports"', 'content-type': 'text/plain' })
      .end('who are you');
  },
  'same-origin-image': ({ response }) =>
    send(response, { 'content-type': 'image/svg+xml', 'cross-origin-resource-policy': 'same-origin' }, '<svg/>'),
  broken: ({ request, response }) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'content-length': '5000' }).write('<svg>');
    setTimeout(() => request.socket.resetAndDestroy(), 100);
  },
};

/** A second of silence. */
function makeSound(): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  const format = Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]);
  const data = Buffer.alloc(8000, 128);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  head.writeUInt32LE(36 + data.length, 4);
  return Buffer.concat([head, format, Buffer.from('data'), length, data]);
}

function send(response: ServerResponse, headers: Record<string, string>, body: string | Buffer): void {
  if (!response.destroyed) response.writeHead(200, { 'cache-control': 'no-store', ...headers }).end(body);
}

function keep(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>kept</title>${noIcon}<p>A page${body}`);
}

/** Goes once in a tab: a browser that has not kept the page loads it again. */
function leaveOnceFor(path: string): string {
  return `<script>onpageshow = () => {
    if (sessionStorage.left === "${path}") return;
    sessionStorage.left = "${path}";
    setTimeout(() => { location.href = "${path}" }, 200);
  }</script>`;
}

/** Serves the pages of all reports, until disposed of. */
export async function serveReportPages(): Promise<ReportPages> {
  const server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    const [, name = '', more] = pathname.split('/');
    const body = bodies[name];
    const text = scripts[name];
    const page = typeof body === 'function' ? body(otherUrl) : body;
    if (page !== undefined)
      return send(
        response,
        { 'content-type': 'text/html; charset=utf-8', ...policies[name] },
        `<!doctype html><title>${name}</title>${noIcon}${page}`,
      );
    if (text !== undefined) return send(response, { 'content-type': 'text/javascript' }, text);
    if (name === 'status') return void response.writeHead(Number(more)).end();
    const answer = answers[name];
    if (answer) return void answer({ request, response, query, otherUrl });
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const otherUrl = `http://localhost:${port}`;
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
