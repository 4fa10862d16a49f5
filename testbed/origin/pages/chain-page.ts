import type { Exchange } from '../exchange.ts';
import { linkObject } from '../object-query.ts';
import { renderPage } from './render-page.ts';

/**
 * `/chain`: a page that finds one object by another. A style sheet names the last image or, with `imports=N`, imports another one that does, and so on N times. With `scriptMs=N` a
 * script adds it instead, after it has run for N ms. `delayMs` holds back that image, `sizeBytes` is its size, and `besideMs` holds back one that the document names itself.
 */
export async function sendChainPage(exchange: Exchange, [part]: string[]): Promise<void> {
  if (part === 'style.css') return sendStyleSheet(exchange);
  if (part === 'script.js') return sendScript(exchange);
  const { scriptMs, besideMs, pageDelayMs } = exchange.query;
  await exchange.wait(pageDelayMs);
  const beside = linkImage(exchange, { path: '/thumbnail/2.jpg', name: 'beside', delayMs: besideMs });
  await exchange.send(
    renderPage({
      title: 'One object after the other',
      head: scriptMs === undefined ? `<link rel=stylesheet href="${linkPart(exchange, 'style.css')}">` : '',
      body: [
        `<img src="${beside}" width=160 height=120 alt="">`,
        '<div id=end style="width: 160px; height: 120px"></div>',
        ...(scriptMs === undefined ? [] : [`<script src="${linkPart(exchange, 'script.js')}"></script>`]),
      ].join('\n'),
    }),
  );
}

async function sendStyleSheet(exchange: Exchange): Promise<void> {
  const { imports = 0 } = exchange.query;
  const body =
    imports > 0
      ? `@import url("${linkPart(exchange, 'style.css', { imports: imports - 1 })}");`
      : `#end { background: url("${linkLast(exchange)}") }`;
  await exchange.send({ type: 'text/css; charset=utf-8', body });
}

async function sendScript(exchange: Exchange): Promise<void> {
  const { scriptMs = 0 } = exchange.query;
  const body = [
    `const end = performance.now() + ${scriptMs};`,
    'while (performance.now() < end);',
    `document.getElementById("end").innerHTML = '<img src="${linkLast(exchange)}" width=160 height=120 alt="">';`,
  ].join('\n');
  await exchange.send({ type: 'text/javascript; charset=utf-8', body });
}

/** A part of the chain, which hands the query on. */
function linkPart(exchange: Exchange, part: string, changes: { imports?: number } = {}): string {
  const query = new URLSearchParams(exchange.url.search);
  for (const [name, value] of Object.entries(changes)) query.set(name, String(value));
  query.set('object', part.replace('.', `-${query.get('imports') ?? 0}-`));
  query.set('counts', 'viewport');
  return `/chain/${part}?${query.toString()}`;
}

function linkLast(exchange: Exchange): string {
  const { delayMs } = exchange.query;
  return linkImage(exchange, { path: '/image/1.jpg', name: 'last', delayMs, sizeBytes: exchange.query.sizeBytes });
}

function linkImage(
  { query }: Exchange,
  image: { path: string; name: string; delayMs: number; sizeBytes?: number | undefined },
): string {
  return linkObject(query, { ...image, counts: 'viewport', foreignUrl: null });
}
