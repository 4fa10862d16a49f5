import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PushStreams } from '#httpep/ground/bundle/bundler.ts';
import { ranks } from '#httpep/scheduler/flow.ts';
import { Scheduler } from '#httpep/scheduler/scheduler.ts';
import { Tunnel } from '#httpep/tunnel/tunnel.ts';
import { TunnelError } from '#httpep/tunnel/tunnel-error.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

type Push = Parameters<ReturnType<PushStreams['openPage']>>[0];
const push = { wanted: { type: 'image' } } as Push;

/** Pages of users, whose pushes are under way until the test ends them. */
function openPages() {
  const scheduler = new Scheduler({ name: 'fair', weights: {} });
  const tunnel = new Tunnel({
    ...{ end: 'ground', scheduler, pacer: null, chunkBytes: () => 1433, maxStreams: 9999, time: new HeldTime() },
  });
  const all = new PushStreams();
  const running: (() => void)[] = [];
  const asked: string[] = [];
  const over: string[] = [];
  const open = (user: string) => {
    const page = tunnel.open({ user, userClass: '', rank: ranks.page });
    page.on('error', () => undefined);
    const fetch = ({ wanted }: Push, stream: { destroy: () => unknown }) => {
      asked.push(wanted.type);
      return new Promise<void>((resolve) =>
        running.push(() => {
          stream.destroy();
          resolve();
        }),
      );
    };
    return { page, send: all.openPage({ tunnel, page, fetch, onOver: () => over.push(user) }) };
  };
  return { open, running, asked, over, end: () => tunnel.destroy(new TunnelError('closed', 'The test is over')) };
}

test('a user has at most 256 pushes, all together at most 2048, and what is over makes room', async () => {
  const { open, running, end } = openPages();
  const sent = (send: (one: Push) => number | null) => Array.from({ length: 300 }, () => send(push)).filter(Boolean);
  const ann = open('ann').send;
  expect(sent(ann)).toHaveLength(256);
  expect(sent(open('ann').send)).toHaveLength(0);
  const others = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((user) => sent(open(user).send).length);
  expect(others).toEqual([...Array<number>(7).fill(256), 0, 0]);
  running[0]!();
  await turn();
  await turn();
  expect(ann(push)).not.toBeNull();
  expect(ann(push)).toBeNull();
  end();
});

test('of a page, twelve are asked for at a time, in their order', async () => {
  const { open, running, end } = openPages();
  const { send } = open('ann');
  for (let number = 0; number < 20; number++) send(push);
  expect(running).toHaveLength(12);
  running[3]!();
  await turn();
  expect(running).toHaveLength(13);
  end();
});

test('of those that wait for their turn, what a page is drawn by is asked for before images', async () => {
  const { open, running, asked, end } = openPages();
  const { send } = open('ann');
  const types = [...Array<'image'>(14).fill('image'), 'script', 'document', 'style-sheet'] as const;
  for (const type of types) send({ wanted: { type } } as Push);
  for (let number = 0; number < 5; number++) {
    running[number]!();
    await turn();
  }
  expect(asked.slice(12)).toEqual(['document', 'script', 'style-sheet', 'image', 'image']);
  end();
});

test('a page that is given up has no more pushes, and is over when those before have ended', async () => {
  const { open, running, over, end } = openPages();
  const { page, send } = open('ann');
  send(push);
  expect(over).toEqual([]);
  page.destroy();
  await turn();
  expect(send(push)).toBeNull();
  expect(over).toEqual(['ann']);
  expect(running).toHaveLength(1);
  end();
});

test.each([768 * 1024, 1_500_000])(
  'a dozen objects of %i bytes that no browser wants hold up no other one',
  async (length) => {
    const large: SiteAnswers[string] = (response) => response.end(Buffer.alloc(length));
    const names = Array.from({ length: 12 }, (_, number) => `/${number}`);
    await using site = await startSite({
      '/': (response) => {
        const images = [...names, '/last'].map((name) => `<img src=${name}>`);
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(images.join(''));
      },
      ...Object.fromEntries(names.map((name) => [name, large])),
      '/last': (response) => response.end('the last'),
    });
    await site.proxied('/', { headers: { accept: 'text/html' } });
    await expect.poll(() => site.remote.pushes.promised).toBe(13);
    const { body } = await site.proxied('/last');
    expect(Buffer.from(body, 'base64').toString()).toBe('the last');
    expect(site.remote.pushes.used).toBe(1);
  },
);
