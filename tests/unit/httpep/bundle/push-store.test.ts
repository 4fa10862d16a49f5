import { duplexPair } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { pack } from '#httpep/exchange/pack.ts';
import { encodeRecord, recordTypes } from '#httpep/exchange/read-records.ts';
import type { RequestHead } from '#httpep/exchange/heads.ts';
import { PushStore } from '#httpep/remote/pushes/push-store.ts';
import { ranks } from '#httpep/scheduler/flow.ts';
import { Scheduler } from '#httpep/scheduler/scheduler.ts';
import { Tunnel } from '#httpep/tunnel/tunnel.ts';
import { TunnelError } from '#httpep/tunnel/tunnel-error.ts';
import { HeldTime } from '#tests/support/held-time.ts';

const makeTunnel = (end: 'remote' | 'ground', time: HeldTime) =>
  new Tunnel({
    end,
    scheduler: new Scheduler({ name: 'fair', weights: {} }),
    pacer: null,
    chunkBytes: () => 1433,
    maxStreams: 16,
    time,
  });

test('what waits for its turn on a slow link is kept as long as the page moves, and is given up when it is still', async () => {
  const time = new HeldTime();
  const [remote, ground] = [makeTunnel('remote', time), makeTunnel('ground', time)];
  const [one, other] = duplexPair();
  remote.attach(one, { slot: 0, session: 'a' });
  ground.attach(other, { slot: 0, session: 'b' });
  using store = new PushStore(remote, time);
  const owner = {
    ...{ user: 'ann', pageUrl: 'http://a.test/', urls: new Set<string>(), held: new Set<never>(), activeMs: 0 },
    count: () => undefined,
  };
  const slow = ground.open({ user: 'ann', userClass: '', rank: ranks.other });
  const objects = [2, 4, 6].map((stream) => [stream, `http://a.test/${stream}`, 0]);
  store.promise(owner, pack({ asked: [[]], objects }));
  slow.on('error', () => undefined);
  slow.write(encodeRecord(recordTypes.head, pack({ status: 200, reason: 'OK', headers: [] })));
  for (let part = 0; part < 10; part++) {
    slow.write(encodeRecord(recordTypes.body, Buffer.alloc(10)));
    await time.pass(10_000);
  }
  const ask = (url: string) =>
    store.claim({
      kind: 'request',
      user: 'ann',
      method: 'GET',
      url,
      version: '1.1',
      hasBody: false,
      isUpgrade: false,
      headers: [],
    });
  expect(ask('http://a.test/4')).toMatchObject({ streamId: 4, isClaimed: true });
  await time.pass(30_000);
  expect(store.counts.unused).toBe(0);
  await time.pass(1000);
  expect(store.counts.unused).toBe(3);
  expect(ask('http://a.test/6')).toBeNull();
  for (const tunnel of [remote, ground]) tunnel.destroy(new TunnelError('closed', 'The test is over'));
});

test('a page that names only what the page before named has its promise, and gives it up when it is still', async () => {
  const time = new HeldTime();
  const tunnel = makeTunnel('remote', time);
  using store = new PushStore(tunnel, time);
  const url = 'http://a.test/style.css';
  const open = (pageUrl: string, stream: number) => {
    const owner = {
      ...{ user: 'ann', pageUrl, urls: new Set<string>(), held: new Set<never>(), activeMs: 0 },
      count: () => undefined,
    };
    store.promise(owner, pack({ asked: [[]], objects: [[stream, url, 0]] }));
  };
  for (const [index, page] of ['a', 'b', 'c'].entries()) open(`http://a.test/${page}`, 2 * index + 2);
  await time.pass(31_000);
  expect(store.counts).toMatchObject({ promised: 3, unused: 3 });
  open('http://a.test/d', 8);
  open('http://a.test/e', 10);
  expect(
    store.claim({
      kind: 'request',
      user: 'ann',
      method: 'GET',
      url,
      version: '1.1',
      hasBody: false,
      isUpgrade: false,
      headers: [],
    }),
  ).toMatchObject({ streamId: 10, isClaimed: true });
  tunnel.destroy(new TunnelError('closed', 'The test is over'));
});

describe('what is held for a page is for that load alone', () => {
  const page = 'http://a.test/page';
  const image = 'http://a.test/image';

  /** An image is held, whose answer has these fields; `afterMs` later this is asked; then the image is. */
  async function holdAndAsk({
    answered = [],
    afterMs = 0,
    then = {},
    fields = [],
  }: {
    answered?: string[];
    afterMs?: number;
    then?: Partial<RequestHead>;
    fields?: string[];
  }) {
    const time = new HeldTime();
    const [remote, ground] = [makeTunnel('remote', time), makeTunnel('ground', time)];
    const [one, other] = duplexPair();
    remote.attach(one, { slot: 0, session: 'a' });
    ground.attach(other, { slot: 0, session: 'b' });
    using store = new PushStore(remote, time);
    const owner = {
      ...{ user: 'ann', pageUrl: page, urls: new Set([page]), held: new Set<never>(), activeMs: 0 },
      count: () => undefined,
    };
    const stream = ground.open({ user: 'ann', userClass: '', rank: ranks.other });
    stream.on('error', () => undefined);
    store.promise(owner, pack({ asked: [['Cookie', 'a=1']], objects: [[stream.id, image, 0]] }));
    stream.write(encodeRecord(recordTypes.head, pack({ status: 200, reason: 'OK', headers: answered })));
    await time.pass(0);
    await time.pass(afterMs);
    const ask = (head: Partial<RequestHead>) =>
      store.claim({
        ...{ kind: 'request', user: 'ann', method: 'GET', url: image, version: '1.1', hasBody: false },
        ...{ isUpgrade: false, headers: ['Cookie', 'a=1', ...fields], ...head },
      });
    if (Object.keys(then).length > 0) ask(then);
    const claimed = ask({});
    const heldMs = claimed && store.countHeldMs(claimed);
    for (const tunnel of [remote, ground]) tunnel.destroy(new TunnelError('closed', 'The test is over'));
    return heldMs;
  }

  test('within the load it is given, with how long it was held', async () => {
    expect(await holdAndAsk({ afterMs: 1500 })).toBe(1500);
    expect(await holdAndAsk({ then: { url: 'http://a.test/other' } })).toBe(0);
  });

  const html = ['Accept', 'text/html', 'Referer', page];
  type Held = Parameters<typeof holdAndAsk>[0];
  test.each<[string, Held]>([
    ['the page is loaded again', { then: { url: page } }],
    ['something is sent to its web server', { then: { method: 'POST', url: 'http://a.test/add', hasBody: true } }],
    [
      'the page is left by a link',
      { then: { url: 'http://a.test/next', headers: [...html, 'Sec-Fetch-Dest', 'document'] } },
    ],
    ['a page that was still is left by a link', { afterMs: 2001, then: { url: 'http://b.test/', headers: html } }],
    ['the browser asks for what is not stored', { fields: ['Cache-Control', 'no-store'] }],
    ['the browser asks for what is fresh, as in HTTP/1.0', { fields: ['Pragma', 'no-cache'] }],
    ['the browser asks for what is not older than now', { fields: ['Cache-Control', 'max-age=0'] }],
    ['it is older than the browser takes', { afterMs: 1000, fields: ['Cache-Control', 'max-age=1'] }],
    ['it is for another page', { fields: ['Referer', 'http://a.test/other'] }],
    ...listStale().map(([what, answered]): [string, Held] => [
      `it is no longer fresh (${what}), and the page is still`,
      { answered, afterMs: 2001 },
    ]),
    ...['no-store', 'private, no-cache', 'max-age=0, must-revalidate'].map((control): [string, Held] => [
      `its answer says ${control}, and the page is still`,
      { answered: ['Cache-Control', control], afterMs: 2001 },
    ]),
  ])('it is not given when %s', async (_, script) => {
    expect(await holdAndAsk(script)).toBeNull();
  });

  test.each([
    ['something is sent to another web server', { then: { method: 'POST', url: 'http://b.test/add' } }],
    [
      'the browser prerenders another page',
      {
        then: {
          url: 'http://a.test/next',
          headers: [...html, 'Sec-Fetch-Dest', 'document', 'Sec-Purpose', 'prefetch;prerender'],
        },
      },
    ],
    ['the browser says its page', { fields: ['Referer', page] }],
    ['the browser says what was promised for the page', { fields: ['Referer', image] }],
    ['the browser says only the web server', { fields: ['Referer', 'http://b.test/'] }],
    [
      'it is not older than the browser takes',
      { afterMs: 999, fields: ['Pragma', 'no-cache', 'Cache-Control', 'max-age=1'] },
    ],
    ['it expires later', { answered: ['Date', date(0), 'Expires', date(9000)], afterMs: 2001 }],
    ['a frame is asked for', { then: { url: 'http://a.test/frame', headers: html } }],
    ['it must not be stored, and the page moves', { answered: ['Cache-Control', 'no-store'], afterMs: 1999 }],
    ['it is fresh, and the page is still', { answered: ['Cache-Control', 's-maxage=0, max-age=09'], afterMs: 2001 }],
  ])('it is given when %s', async (_, script) => {
    expect(await holdAndAsk(script)).not.toBeNull();
  });

  test('what comes while its web server is asked to change something is given up when that has answered', () => {
    const time = new HeldTime();
    const tunnel = makeTunnel('remote', time);
    using store = new PushStore(tunnel, time);
    const owner = {
      ...{ user: 'ann', pageUrl: page, urls: new Set<string>(), held: new Set<never>(), activeMs: 0 },
      count: () => undefined,
    };
    const change: RequestHead = {
      ...{ kind: 'request', user: 'ann', method: 'POST', url: 'http://a.test/add', version: '1.1' },
      ...{ hasBody: true, isUpgrade: false, headers: [] },
    };
    expect(store.claim(change)).toBeNull();
    const objects = [image, 'http://b.test/image'].map((url, index) => [2 * index + 2, url, 0]);
    store.promise(owner, pack({ asked: [[]], objects }));
    store.leaveOrigin(change);
    const ask = (url: string) => store.claim({ ...change, method: 'GET', hasBody: false, url });
    expect([ask(image), ask('http://b.test/image')?.streamId]).toEqual([null, 4]);
    tunnel.destroy(new TunnelError('closed', 'The test is over'));
  });

  test('it is not given to another cookie', async () => {
    expect(await holdAndAsk({ then: { headers: ['Cookie', 'a=2'] } })).toBeNull();
  });
});

const date = (ms: number) => new Date(Date.UTC(2026, 0) + ms).toUTCString();

/** Answers that may be used for less than 2 s, or not without asking again. */
function listStale(): [what: string, fields: string[]][] {
  return [
    ['an age', ['Cache-Control', 'public, max-age=60', 'Age', '58']],
    ['a short time', ['Cache-Control', 'max-age=2']],
    ['a date', ['Date', date(0), 'Expires', date(2000)]],
    ['no date', ['Date', date(0), 'Expires', '0']],
    ['HTTP/1.0', ['Pragma', 'no-cache']],
  ];
}
