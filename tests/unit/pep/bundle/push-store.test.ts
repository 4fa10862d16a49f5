import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { pack } from '#pep/exchange/pack.ts';
import { encodeRecord, recordTypes } from '#pep/exchange/read-records.ts';
import { PushStore } from '#pep/remote/bundle/push-store.ts';
import { ranks } from '#pep/scheduler/flow.ts';
import { Scheduler } from '#pep/scheduler/scheduler.ts';
import { Tunnel } from '#pep/tunnel/tunnel.ts';
import { TunnelError } from '#pep/tunnel/tunnel-error.ts';
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
    ...{ user: 'ann', pageUrl: 'http://a.test/', held: new Set<never>(), activeMs: 0 },
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
    store.claim({ kind: 'request', user: 'ann', method: 'GET', url, hasBody: false, isUpgrade: false, headers: [] });
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
    const owner = { ...{ user: 'ann', pageUrl, held: new Set<never>(), activeMs: 0 }, count: () => undefined };
    store.promise(owner, pack({ asked: [[]], objects: [[stream, url, 0]] }));
  };
  for (const [index, page] of ['a', 'b', 'c'].entries()) open(`http://a.test/${page}`, 2 * index + 2);
  await time.pass(31_000);
  expect(store.counts).toMatchObject({ promised: 3, unused: 3 });
  open('http://a.test/d', 8);
  open('http://a.test/e', 10);
  expect(
    store.claim({ kind: 'request', user: 'ann', method: 'GET', url, hasBody: false, isUpgrade: false, headers: [] }),
  ).toMatchObject({ streamId: 10, isClaimed: true });
  tunnel.destroy(new TunnelError('closed', 'The test is over'));
});
