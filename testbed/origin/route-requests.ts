import { AppError } from '#core/app-error.ts';
import type { Exchange } from './exchange.ts';
import { linkObject } from './object-query.ts';
import type { PreparedImages } from './objects/prepare-images.ts';
import { sendAccountPage } from './pages/account-pages.ts';
import { sendChainPage } from './pages/chain-page.ts';
import { sendHardCasesPage, linkHardObject } from './pages/hard-cases/hard-cases-page.ts';
import { sendIndexPage } from './pages/index-page.ts';
import { sendComposedPage, sendIconsPage, sendImagesPage } from './pages/sized-pages.ts';
import { answerTaskRequest } from './tasks/answer-task-request.ts';
import { renderPage, pageText } from './pages/render-page.ts';
import { buildFont } from './objects/build-font.ts';
import { hardDocuments } from './pages/hard-cases/all-hard-cases.ts';
import { maximumImageCount, readWholeNumber } from './objects/object-numbers.ts';
import type { SizedImages, ImageSource } from './objects/sized-images.ts';
import type { OpenTasks } from './tasks/open-task-socket.ts';

const partBytes = 2 ** 16;
const maximumBytes = 2 ** 28;

/** Not even a Content-Length. https://www.rfc-editor.org/rfc/rfc9110#section-8.6 */
const statusesWithoutContent = new Set([204, 205, 304]);

const types = {
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  data: 'application/json',
};

const font = buildFont();

/**
 * Answers one exchange; `segments` are what the path has after the route's own name. Throws `AppError` for what the client
 * got wrong.
 */
type Handler = (exchange: Exchange, segments: string[]) => Promise<void>;

/** All that the origin answers, by the first segment of the path. */
export function routeRequests(
  { images, thumbnails, sized }: PreparedImages,
  tasks: OpenTasks,
): (exchange: Exchange) => Promise<void> {
  const routes = new Map<string, Handler>([
    ['images', (exchange, [count]) => sendImagesPage(exchange, { count, kind: 'image', sized })],
    ['thumbnails', (exchange, [count]) => sendImagesPage(exchange, { count, kind: 'thumbnail', sized })],
    ['page', (exchange, [composition]) => sendComposedPage(exchange, { composition, sized })],
    ['icons', (exchange, [count]) => sendIconsPage(exchange, { count, sized })],
    ['hard-cases', (exchange, [name]) => (name ? sendHardDocument(exchange, name) : sendHardCasesPage(exchange))],
    ['chain', sendChainPage],
    ['never-ends', sendNeverEndsPage],
    ['chunked', sendChunkedPage],
    ['slow-first-byte', sendSlowFirstBytePage],
    ['dialog', sendDialogPage],
    ['popup', sendPopupPage],
    ['account', (exchange, [name]) => sendAccountPage(exchange, name)],
    ['task', (exchange, segments) => answerTaskRequest(exchange, { tasks, segments })],

    ['image', (exchange, [name]) => sendImage(exchange, name, { images, sized })],
    ['thumbnail', (exchange, [name]) => sendImage(exchange, name, { images: thumbnails, sized })],
    ['broken-image', (exchange) => sendBrokenImage(exchange, images)],
    ['endless-image', (exchange) => sendEndlessImage(exchange, images)],
    ['script.js', (exchange) => sendTextObject(exchange, 'script')],
    ['style.css', (exchange) => sendTextObject(exchange, 'style')],
    ['data', (exchange) => sendTextObject(exchange, 'data')],
    ['font.ttf', sendFont],
    ['events', sendEvents],

    ['redirect', redirectHops],
    ['redirect-loop', redirectForever],
    ['status', (exchange, [code]) => sendStatus(exchange, code)],
    ['blank', sendBlankPage],
    ['large', (exchange, [bytes]) => sendLargePage(exchange, bytes)],
    ['empty', closeUnanswered],
    ['reset', resetUnanswered],
    ['hang', neverAnswer],
    ['download', sendDownload],
    ['auth', askForPassword],
  ]);

  return async (exchange) => {
    const [first = '', ...rest] = exchange.url.pathname.slice(1).split('/');
    const handle = exchange.url.pathname === '/' ? sendIndexPage : routes.get(first);
    if (!handle) throw new AppError('not-found', `The origin has no page ${exchange.url.pathname}: / lists its pages`);
    await handle(exchange, rest);
  };
}

/** `/auth`: asks for a name and password, and takes none. */
async function askForPassword(exchange: Exchange): Promise<void> {
  const page = renderPage({ title: 'Sign in', body: '<p>Enter a name and a password.</p>' });
  await exchange.send({ ...page, status: 401, headers: { 'www-authenticate': 'Basic realm="HTTP-AE test origin"' } });
}

/** A stream of server-sent events that begins and never brings one. */
async function sendEvents(exchange: Exchange): Promise<void> {
  exchange.begin({ type: 'text/event-stream', headers: { 'cache-control': 'no-store' } });
  await exchange.write(': open\n\n');
  await exchange.waitForever();
}

/** `/slow-first-byte?delayMs=N`: a page whose answer begins after N ms. */
async function sendSlowFirstBytePage(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  await exchange.send(renderPage({ title: 'Slow first byte', body: '<p>This page took its time.</p>' }));
}

/** `/popup`: a page that opens a window. */
async function sendPopupPage(exchange: Exchange): Promise<void> {
  await exchange.send(
    renderPage({ title: 'Popup', body: '<p>This page opens a window.</p><script>open("/images/0")</script>' }),
  );
}

/** `/download`: a file that a browser saves instead of showing it. */
async function sendDownload(exchange: Exchange): Promise<void> {
  await exchange.send({
    type: 'application/octet-stream',
    body: 'Nothing of worth.\n',
    headers: { 'content-disposition': 'attachment; filename="download.bin"' },
  });
}

/** Fonts are always fetched with CORS, so other origins are allowed to have it. */
async function sendFont(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({ type: 'font/ttf', body: font, headers: { 'access-control-allow-origin': '*' } });
}

/** `/chunked`: HTML that comes in 5 parts, 100 ms apart, unless the query has `chunks` and `chunkGapMs`; no length is sent. */
async function sendChunkedPage(exchange: Exchange): Promise<void> {
  const { chunks = 5, chunkGapMs = 100 } = exchange.query;
  await exchange.wait(exchange.query.delayMs);
  await exchange.sendInParts(renderPage({ title: 'Slow HTML', body: pageText }), { chunks, chunkGapMs });
}

/** `/dialog`: a page that opens a dialog and continues when it is closed. */
async function sendDialogPage(exchange: Exchange): Promise<void> {
  await exchange.send(
    renderPage({
      title: 'Dialog',
      body: '<p>Before the dialog.</p><script>alert("A dialog")</script><p>After it.</p>',
    }),
  );
}

/** The smallest script, style sheet or JSON document, after `delayMs`. */
async function sendTextObject(exchange: Exchange, kind: keyof typeof types): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({ type: types[kind], body: kind === 'data' ? '{}' : '/* nothing */' });
}

/** `/hard-cases/NAME`: a frame or a style sheet. One that is held back brings in nothing, so that nothing ends after it. */
async function sendHardDocument(exchange: Exchange, name: string): Promise<void> {
  const document = hardDocuments.get(name);
  if (!document) throw new AppError('not-found', `The page of hard cases has no document "${name}"`);
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({
    type: document.type,
    body: exchange.query.last === name ? '' : document.render(linkHardObject(exchange)),
  });
}

/** `/never-ends`: an image whose answer begins and never ends, so that the page never settles. */
async function sendNeverEndsPage(exchange: Exchange): Promise<void> {
  const url = linkObject(exchange.query, {
    path: '/endless-image',
    name: 'endless-image',
    counts: 'viewport',
    delayMs: 0,
    foreignUrl: null,
  });
  await exchange.send(renderPage({ title: 'Never ends', body: `<img src="${url}" width=160 height=120 alt="">` }));
}

/** `/empty`: the connection is closed without an answer. */
async function closeUnanswered(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  exchange.closeConnection();
}

/** `/reset`: the connection is reset (TCP RST) without an answer. */
async function resetUnanswered(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  exchange.resetConnection();
}

/** `/hang`: the connection stays open and no answer comes. */
async function neverAnswer(exchange: Exchange): Promise<void> {
  await exchange.waitForever();
}

/** `/status/CODE`: a page with that status. */
async function sendStatus(exchange: Exchange, code: string | undefined): Promise<void> {
  const status = readWholeNumber(code, { name: 'the status', min: 200, max: 599 });
  await exchange.wait(exchange.query.delayMs);
  if (statusesWithoutContent.has(status)) {
    exchange.begin({ status });
    exchange.end();
    return;
  }
  await exchange.send({
    ...renderPage({ title: `Status ${status}`, body: `<p>Status ${status}, as ordered.</p>` }),
    status,
  });
}

/** `/redirect/K/to/PATH?QUERY`: PATH after K redirects, the query kept at every hop. */
async function redirectHops(exchange: Exchange, [hops, to, ...path]: string[]): Promise<void> {
  const left = readWholeNumber(hops, { name: 'the number of redirects', min: 1, max: 50 });
  const target = path.filter((segment) => segment !== '').join('/');
  if (to !== 'to' || target === '')
    throw new AppError('invalid-input', 'A redirect must look like /redirect/2/to/images/10');
  const next = left > 1 ? `/redirect/${left - 1}/to/${target}` : `/${target}`;
  await redirect(exchange, `${next}${exchange.url.search}`);
}

/** `/redirect-loop`: leads to itself. */
async function redirectForever(exchange: Exchange): Promise<void> {
  await redirect(exchange, `${exchange.url.pathname}${exchange.url.search}`);
}

async function redirect(exchange: Exchange, location: string): Promise<void> {
  await exchange.send({ status: 302, type: 'text/plain', body: '', headers: { location } });
}

/** `/image/N.jpg`, with `sizeBytes` an image of exactly that size. */
async function sendImage(
  exchange: Exchange,
  name: string | undefined,
  { images, sized }: { images: ImageSource; sized: SizedImages },
): Promise<void> {
  const n = readWholeNumber(name?.replace(/\.jpg$/, ''), {
    name: 'the image’s number',
    min: 1,
    max: maximumImageCount,
  });
  const { sizeBytes, delayMs } = exchange.query;
  const body = await (sizeBytes === undefined ? images(n) : sized.read(n, sizeBytes));
  await exchange.wait(delayMs);
  await exchange.send({ type: 'image/jpeg', body });
}

/**
 * Half an image, and after `delayMs` the end of the connection. The head goes first because browsers silently ask again
 * when a reused connection is reset before it.
 */
async function sendBrokenImage(exchange: Exchange, images: ImageSource): Promise<void> {
  await sendHalf(exchange, await images(1));
  await exchange.wait(exchange.query.delayMs);
  exchange.breakOff();
}

/** Half an image, and then nothing for as long as the client waits. */
async function sendEndlessImage(exchange: Exchange, images: ImageSource): Promise<void> {
  await sendHalf(exchange, await images(1));
  await exchange.waitForever();
}

async function sendHalf(exchange: Exchange, image: Buffer): Promise<void> {
  exchange.begin({ type: 'image/jpeg', headers: { 'content-length': image.length } });
  await exchange.write(image.subarray(0, image.length / 2));
}

/** `/large/BYTES`: a page of that many bytes, all of them spaces after its first line. With `?chunks=2` or more its length is not sent; with `?delayMs` the rest comes that long after its first line. */
async function sendLargePage(exchange: Exchange, bytes: string | undefined): Promise<void> {
  const start = '<!doctype html><title>A large page</title>\n';
  const length = readWholeNumber(bytes, { name: 'the number of bytes', min: start.length, max: maximumBytes });
  const isLengthSent = (exchange.query.chunks ?? 1) === 1;
  exchange.begin({ type: 'text/html; charset=utf-8', headers: isLengthSent ? { 'content-length': length } : {} });
  await exchange.write(start);
  await exchange.wait(exchange.query.delayMs);
  const part = Buffer.alloc(partBytes, ' ');
  for (let left = length - start.length; left > 0; left -= partBytes)
    await exchange.write(part.subarray(0, Math.min(left, partBytes)));
  exchange.end();
}

/** `/blank`: an answer that is all right but for its content, which has no byte. */
async function sendBlankPage(exchange: Exchange): Promise<void> {
  await exchange.send({ type: 'text/html; charset=utf-8', body: '' });
}
