import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { load, openClient } from './open-client.ts';

/** The `Referer` of each path that a page asks for. OTHER is another origin. */
async function referers(html: string, fields: string[] = [], css: string[] = []) {
  const seen: Record<string, string | null> = {};
  let [own, other] = ['', ''];
  const bodies: Record<string, [fields: string[], body: () => string]> = {
    '/page': [['Content-Type', 'text/html', ...fields], () => html.replaceAll('OTHER', other)],
    '/s.css': [['Content-Type', 'text/css', ...css], () => `@import "/t.css"; p { background: url(${other}/c) }`],
  };
  const server = createServer((request, response) => {
    seen[request.url!] = request.headers.referer?.replace(own, 'OWN') ?? null;
    const [head, body] = bodies[request.url!] ?? [['Content-Type', 'image/png'], () => ''];
    if (request.url === '/moved')
      response.writeHead(302, ['Location', `${other}/b`, 'Referrer-Policy', 'no-referrer']).end();
    else response.writeHead(200, head).end(body());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  [own, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  await load(openClient(), `${own}/page`);
  server.close();
  server.closeAllConnections();
  return seen;
}

test('a page is named to other origins by its origin alone, or as it says', async () => {
  const images = '<img src=/a><img src=OTHER/b>';
  expect(await referers(images)).toEqual({ '/page': null, '/a': 'OWN/page', '/b': 'OWN/' });
  const field = ['Referrer-Policy', 'same-origin'];
  expect(await referers(images, field)).toEqual({ '/page': null, '/a': 'OWN/page', '/b': null });
  const meta = '<meta name=referrer content=no-referrer>';
  expect(await referers(meta + images)).toEqual({ '/page': null, '/a': null, '/b': null });
  const one = '<img src=/a><img referrerpolicy=no-referrer src=OTHER/b>';
  expect(await referers(one)).toEqual({ '/page': null, '/a': 'OWN/page', '/b': null });
});

test('a frame that comes with its page has the policy of the page', async () => {
  const seen = await referers('<meta name=referrer content=no-referrer><iframe srcdoc="<img src=/a>"></iframe>');
  expect(seen).toEqual({ '/page': null, '/a': null });
});

test('a style sheet is named by what it imports and shows, as it says', async () => {
  const html = '<link rel=stylesheet href=/s.css><p>x';
  expect(await referers(html)).toMatchObject({ '/s.css': 'OWN/page', '/t.css': 'OWN/s.css', '/c': 'OWN/' });
  const quiet = ['Referrer-Policy', 'no-referrer'];
  expect(await referers(html, [], quiet)).toMatchObject({ '/s.css': 'OWN/page', '/t.css': null, '/c': null });
  // In Chrome, one that says nothing has not the policy of its page.
  expect(await referers(html, quiet)).toMatchObject({ '/s.css': null, '/t.css': 'OWN/s.css', '/c': 'OWN/' });
});

test('a redirect may say that nothing is named behind it', async () => {
  expect(await referers('<img src=/moved>')).toMatchObject({ '/moved': 'OWN/page', '/b': null });
});
