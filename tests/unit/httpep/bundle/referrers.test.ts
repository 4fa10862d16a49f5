import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startSite } from '../support/start-site.ts';

/** What the web server of a page is asked with, when these are the page and its style sheet. OTHER is another origin. */
async function refererOf(paths: string[], page: { fields?: string[]; html: string; css?: string[] }) {
  const seen = new Map<string, string | undefined>();
  let [own, other] = ['', ''];
  const { fields = [], html, css = [] } = page;
  const answer = (response: ServerResponse, { url, headers }: IncomingMessage) => {
    seen.set(url!, headers.referer?.replace(own, 'OWN'));
    switch (url) {
      case '/page':
        return response.writeHead(200, ['Content-Type', 'text/html', ...fields]).end(html.replaceAll('OTHER', other));
      case '/s.css':
        return response
          .writeHead(200, ['Content-Type', 'text/css', ...css])
          .end(`@import "/t.css"; p { background: url(${other}/c) }`);
      case '/moved':
        return response.writeHead(302, ['Location', `${other}/b`, 'Referrer-Policy', 'no-referrer']).end();
      default:
        return response.end();
    }
  };
  const all = ['/page', '/s.css', '/t.css', '/moved', '/a', '/b', '/c'];
  await using site = await startSite(Object.fromEntries(all.map((path) => [path, answer])));
  [own, other] = [site.url, site.url.replace('127.0.0.1', 'localhost')];
  await site.proxied('/page', { headers: { accept: 'text/html' } });
  await expect.poll(() => paths.every((path) => seen.has(path))).toBe(true);
  return paths.map((path) => seen.get(path) ?? null);
}

const images = '<img src=/a><img src=OTHER/b>';

test.each<[string, { fields?: string[]; html: string }, (string | null)[]]>([
  ['says nothing', { html: images }, ['OWN/page', 'OWN/']],
  ['says no-referrer', { fields: ['Referrer-Policy', 'no-referrer'], html: images }, [null, null]],
  ['says so in itself', { html: `<meta name=referrer content=no-referrer>${images}` }, [null, null]],
  ['says same-origin', { fields: ['Referrer-Policy', 'x, same-origin'], html: images }, ['OWN/page', null]],
  ['says origin', { fields: ['Referrer-Policy', 'origin'], html: images }, ['OWN/', 'OWN/']],
  ['says what is not known', { fields: ['Referrer-Policy', 'x'], html: images }, ['OWN/page', 'OWN/']],
  ['says it of one image', { html: '<img src=/a><img referrerpolicy=no-referrer src=OTHER/b>' }, ['OWN/page', null]],
])('what is fetched ahead for a page that %s names the page as a browser does', async (_, page, expected) => {
  expect(await refererOf(['/a', '/b'], page)).toEqual(expected);
});

test('a style sheet is named by what it imports and shows, as it says', async () => {
  const html = '<link rel=stylesheet href=/s.css><p>x';
  expect(await refererOf(['/t.css', '/c'], { html })).toEqual(['OWN/s.css', 'OWN/']);
  expect(await refererOf(['/t.css', '/c'], { html, css: ['Referrer-Policy', 'no-referrer'] })).toEqual([null, null]);
});

test('a redirect may say that nothing is named behind it', async () => {
  expect(await refererOf(['/moved', '/b'], { html: '<img src=/moved>' })).toEqual(['OWN/page', null]);
});
