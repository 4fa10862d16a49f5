import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTcpRelay } from '#tests/support/tcp-relay.ts';
import { ask } from './support/ask.ts';
import { startOddOrigin, type OddOrigin } from './support/odd-origin.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

let origin: OddOrigin;

beforeAll(async () => {
  origin = await startOddOrigin();
});

afterAll(() => origin[Symbol.asyncDispose]());

const withinMs = async (limitMs: number, work: Promise<{ status: number }>) => {
  const startMs = performance.now();
  const { status } = await work;
  expect(performance.now() - startMs).toBeLessThan(limitMs);
  return status;
};

test('without a ground end, browsers have a 504 within 2 s, and an answer once there is one', async () => {
  await using relay = await startTcpRelay(9);
  await using remote = await startTestRemote(relay.port, { onNote: () => undefined });
  expect(await withinMs(2000, ask(`${origin.url}/plain`, {}, remote.port))).toBe(504);
  expect(await withinMs(100, ask(`${origin.url}/plain`, {}, remote.port))).toBe(504);
  await using ground = await startTestGround();
  relay.moveTo(ground.port);
  await expect.poll(async () => (await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
});

test('a ground end that is started again: what was under way is a 502 or 504 within 2 s, and the next is answered', async () => {
  const first = await startTestGround();
  await using relay = await startTcpRelay(first.port);
  await using remote = await startTestRemote(relay.port);
  for (let round = 0; round < 3; round++) {
    const silent = ask(`${origin.url}/silent`, {}, remote.port);
    await expect.poll(() => origin.asked.filter((each) => each === 'GET /silent').length).toBe(round + 1);
    const ground = await startTestGround();
    relay.moveTo(ground.port);
    expect([502, 504]).toContain(await withinMs(2000, silent));
    expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
  }
});

test('a ground end that is gone: at once a 504 for what waits, and an end for what was half sent', async () => {
  const ground = await startTestGround();
  const port = ground.port;
  await using remote = await startTestRemote(port);
  const count = origin.asked.length;
  const half = ask(`${origin.url}/endless`, {}, remote.port);
  const silent = ask(`${origin.url}/silent`, {}, remote.port);
  await expect.poll(() => origin.asked.length).toBe(count + 2);
  await sleep(100);
  const stopped = ground[Symbol.asyncDispose]();
  expect([502, 504]).toContain(await withinMs(1000, silent));
  expect(await half).toMatchObject({ status: 200, isBrokenOff: true });
  await stopped;
  await sleep(300);
  expect(await withinMs(500, ask(`${origin.url}/plain`, {}, remote.port))).toBe(504);
  await using second = await startTestGround({ port });
  expect(second.port).toBe(port);
  await expect.poll(async () => (await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
});

test('a link that is cut for a moment loses nothing', async () => {
  await using ground = await startTestGround();
  await using relay = await startTcpRelay(ground.port);
  await using remote = await startTestRemote(relay.port);
  const before = origin.asked.length;
  const slow = ask(`${origin.url}/chunked`, {}, remote.port);
  await expect.poll(() => origin.asked.length).toBe(before + 1);
  relay.halt();
  await sleep(700);
  relay.resume();
  expect(await slow).toMatchObject({ status: 200, isBrokenOff: false });
});

test('a link that is cut: a 504 within 2 s for what waits, and answers when it is back', async () => {
  await using ground = await startTestGround();
  await using relay = await startTcpRelay(ground.port);
  await using remote = await startTestRemote(relay.port);
  relay.halt();
  expect(await withinMs(2000, ask(`${origin.url}/plain`, {}, remote.port))).toBe(504);
  relay.resume();
  await expect.poll(async () => (await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
});

test('connections that break while a large answer is under way are opened again, and the answer is whole', async () => {
  await using ground = await startTestGround();
  await using relay = await startTcpRelay(ground.port);
  await using remote = await startTestRemote(relay.port);
  const direct = await ask(`${origin.url}/big`);
  for (let round = 0; round < 5; round++) {
    const proxied = ask(`${origin.url}/big`, {}, remote.port);
    await sleep(round * 8);
    relay.moveTo(ground.port);
    expect(await proxied).toEqual(direct);
  }
});

test('another key is refused, with a line for the operator of each end', async () => {
  const notes: string[] = [];
  await using ground = await startTestGround({ onNote: (text) => notes.push(text) });
  await using remote = await startTestRemote(ground.port, {
    key: Buffer.from('a key that the ground end does not know'),
    onNote: (text) => notes.push(text),
  });
  expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(504);
  expect(notes.join('\n')).toContain('The ground end has another key');
  expect(notes.join('\n')).toContain('Refused a connection from 127.0.0.1');
});
