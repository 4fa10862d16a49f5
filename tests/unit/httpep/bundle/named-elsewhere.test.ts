import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

const typed =
  (type: string) =>
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Type': type, ...headers }).end(body);
const [html, css] = ['text/html', 'text/css'].map(typed) as [ReturnType<typeof typed>, ReturnType<typeof typed>];
const moved = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end();

/** A site that says what it was asked for. */
async function startNoting(answers: SiteAnswers) {
  const asked: string[] = [];
  const noting = new Proxy(answers, {
    get: (known, path) => {
      asked.push(String(path));
      return known[String(path)];
    },
  });
  return Object.assign(await startSite(noting), { asked });
}

const open = { headers: { accept: 'text/html' } };

test.each<[string, SiteAnswers, string[]]>([
  [
    'style sheets that are preloaded',
    {
      '/': html('<link rel=preload as=style href=/a.css><link rel=stylesheet href=/a.css><p>'),
      '/a.css': css('p { background: url(a.png) }'),
    },
    ['/a.png'],
  ],
  [
    'style sheets and frames that are elsewhere, relative to where they are',
    {
      '/': html('<link rel=stylesheet href=/latest/a.css><iframe src=/latest/frame></iframe><p>'),
      ...{ '/latest/a.css': moved('/1.2/a.css'), '/1.2/a.css': css('p { background: url(a.png) }') },
      ...{ '/latest/frame': moved('/b/frame'), '/b/frame': html('<img src=b.png>') },
    },
    ['/1.2/a.png', '/b/b.png'],
  ],
  [
    'style sheets in another encoding',
    {
      '/': html('<link rel=stylesheet href=/a.css><p>'),
      '/a.css': css(Buffer.from('@charset "iso-8859-1"; p { background: url(caf\xe9.png) }', 'latin1')),
    },
    ['/caf%C3%A9.png'],
  ],
  [
    'the fields of its answer',
    { '/': html('<p>', { Link: '</a.png>; rel=preload; as=image, </b.js>; rel="preload"; as="script"' }) },
    ['/a.png', '/b.js'],
  ],
])('what a page needs by %s is fetched ahead', async (_, answers, expected) => {
  await using site = await startNoting(answers);
  await site.proxied('/', open);
  await expect.poll(() => site.asked).toEqual(expect.arrayContaining(expected));
});

test('a style sheet that was preloaded, and has come, is read when the page says that it applies', async () => {
  let finish = () => undefined as unknown;
  await using site = await startNoting({
    '/': (response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.write('<link rel=preload as=style href=/a.css>');
      finish = () => response.end('<link rel=stylesheet href=/a.css><p>');
    },
    '/a.css': css('p { background: url(a.png) }'),
  });
  const page = site.proxied('/', open);
  await expect.poll(() => site.remote.pushes.promised).toBe(1);
  await site.proxied('/a.css');
  expect(site.remote.pushes.used).toBe(1);
  finish();
  await page;
  await expect.poll(() => site.asked).toContain('/a.png');
});
