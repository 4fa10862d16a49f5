import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askOrigin, openHttp2 } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin({ seed: 5 }));

const nameOf = (link: string) => /object=([\w-]+)/.exec(link)![1];
const namesIn = (links: string) => links.split(', ').map(nameOf);

/** What came before the answer to a GET over HTTP/2. */
async function askWithHints(path: string) {
  const session = openHttp2(origin);
  try {
    const stream = session.request({ ':path': path });
    const hints: string[] = [];
    stream.on('headers', (headers) => {
      expect(headers[':status']).toBe(103);
      hints.push(String(headers.link));
    });
    const [head] = (await once(stream, 'response')) as [Record<string, string>];
    return { hints, link: head.link, body: (await buffer(stream)).toString() };
  } finally {
    session.close();
  }
}

test('half of the images are named in a 103, before the page', async () => {
  const { hints, body } = await askWithHints('/images/5?earlyHints=50&pageDelayMs=30&visit=a');
  expect(hints.map(namesIn)).toEqual([['image-1', 'image-2', 'image-3']]);
  expect(hints[0]!).toMatch(/^<\/image\/1\.jpg\?object=image-1[^>]*visit=a>; rel=preload; as=image, </);
  // What was named is what the page has, or browsers would load it twice.
  for (const link of hints[0]!.split(', ')) expect(body).toContain(`src="${/<([^>]+)>/.exec(link)![1]!}"`);
  expect(body).not.toContain('rel=preload');
});

test('the 103 does not wait for the delay of the page', async () => {
  const session = openHttp2(origin);
  const stream = session.request({ ':path': '/images/5?earlyHints=50&pageDelayMs=10000' });
  let hasAnswer = false;
  stream.on('response', () => (hasAnswer = true)).on('error', () => undefined);
  await once(stream, 'headers');
  expect(hasAnswer).toBe(false);
  session.destroy();
});

test('over HTTP/1.1 too', async () => {
  const request = httpGet(`${origin.httpUrl}/icons/4?earlyHints=100`);
  const hinted = once(request, 'information') as Promise<[{ statusCode: number; headers: { link: string } }]>;
  const [[{ statusCode, headers }]] = await Promise.all([hinted, once(request, 'response')]);
  expect([statusCode, namesIn(headers.link)]).toEqual([103, ['1', '2', '3', '4']]);
  request.destroy();
});

test('images are named in the headers of the page, or in its head', async () => {
  const named = await askWithHints('/page/4x500?preloadHeaders=25&preloadHtml=75');
  expect(named.hints).toEqual([]);
  expect(namesIn(named.link!)).toEqual(['1']);
  const inHead = [...named.body.matchAll(/<link rel=preload as=image href="([^"]+)">/g)].map(([, url]) => nameOf(url!));
  expect(inHead).toEqual(['1', '2', '3']);
});

test('none are named unless asked for, and no more than clients take', async () => {
  const plain = await askWithHints('/images/3');
  expect([plain.hints, plain.link]).toEqual([[], undefined]);
  const tooMany = await askOrigin(origin, `${origin.httpUrl}/icons/640?earlyHints=50`);
  expect([tooMany.status, tooMany.body.toString()]).toEqual([
    400,
    'earlyHints names 320 images, and at most 200 are possible\n',
  ]);
  const wrong = await askOrigin(origin, `${origin.httpUrl}/images/3?earlyHints=101`);
  expect(wrong.body.toString()).toContain('earlyHints must be');
});
