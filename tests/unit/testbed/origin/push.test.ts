import { once } from 'node:events';
import { connect, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askOrigin } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin({ seed: 5 }));

/** A GET over HTTP/2, and what was pushed with it, each in the order in which it was promised. */
async function askWithPushes(path: string, { enablePush = true } = {}) {
  const session = connect(origin.http2Url, { ca: origin.authorityCertificate, settings: { enablePush } });
  try {
    const pushes: Promise<{ path: string; beforePage: boolean; bytes: number }>[] = [];
    let hasPage = false;
    session.on('stream', (stream: ClientHttp2Stream, headers: IncomingHttpHeaders) => {
      const beforePage = !hasPage;
      pushes.push(buffer(stream).then(({ length }) => ({ path: String(headers[':path']), beforePage, bytes: length })));
    });
    const stream = session.request({ ':path': path });
    await once(stream, 'response');
    hasPage = true;
    const body = (await buffer(stream)).toString();
    return { body, pushes: await Promise.all(pushes) };
  } finally {
    session.close();
  }
}

test('the first images of a page are pushed before it comes, and the log says so', async () => {
  const { body, pushes } = await askWithPushes('/page/5x700?push=50&pageDelayMs=100&visit=pushed');
  expect(pushes.map(({ bytes, beforePage }) => [bytes, beforePage])).toEqual(Array(3).fill([700, true]));
  for (const { path } of pushes) expect(body).toContain(`src="${path}"`);
  const requests = origin.truth.requests('pushed');
  expect(requests.map(({ object, isPushed, outcome }) => [object, isPushed, outcome])).toEqual([
    [null, false, 'complete'],
    ...['1', '2', '3'].map((object) => [object, true, 'complete']),
  ]);
});

test('as many images are pushed as the page has', async () => {
  const { pushes } = await askWithPushes('/icons/640?push=100');
  expect(new Set(pushes.map(({ path }) => path)).size).toBe(640);
  expect(new Set(pushes.map(({ bytes }) => bytes))).toEqual(new Set([1000]));
});

test('nothing is pushed unless asked for, to a client that refuses it, or to a client of another version', async () => {
  expect((await askWithPushes('/page/5x700')).pushes).toEqual([]);
  expect((await askWithPushes('/page/5x700?push=0')).pushes).toEqual([]);
  expect((await askWithPushes('/page/5x700?push=100', { enablePush: false })).pushes).toEqual([]);
  const plain = await askOrigin(origin, `${origin.httpUrl}/page/5x700?push=50`);
  expect([plain.status, plain.body.toString()]).toEqual([400, 'push needs HTTP/2 from the client to the origin\n']);
});
