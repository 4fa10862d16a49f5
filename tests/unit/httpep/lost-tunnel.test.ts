import { expect, test } from 'vitest';
import type { Remote } from '#httpep/remote/start-remote.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { startTcpRelay } from '#tests/support/tcp-relay.ts';
import { ask, type Answer } from './support/ask.ts';
import { startOddOrigin } from './support/odd-origin.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(startOddOrigin);

const count = ({ counters }: Remote, name: 'requests' | 'bodyBytes') =>
  counters.readRows().reduce((sum, { sums }) => sum + (sums[name] ?? 0), 0);

/** What the proxy answers, once it has the question. Only the test lets time pass at the proxy. */
async function begin(path: string, remote: Remote): Promise<{ answer: Promise<Answer> }> {
  const before = count(remote, 'requests');
  const answer = ask(`${origin.url}${path}`, {}, remote.port);
  await expect.poll(() => count(remote, 'requests'), { interval: 5 }).toBe(before + 1);
  return { answer };
}

/** Lets time pass, up to so much, until it resolves. */
async function whileTimePasses<T>(work: Promise<T>, { time, mostMs = Infinity }: { time: HeldTime; mostMs?: number }) {
  const startMs = time.clock();
  let isOver = false;
  void work.finally(() => (isOver = true));
  const look = async () => {
    if (time.clock() < startMs + mostMs) await time.pass(100);
    return isOver;
  };
  await expect.poll(look, { interval: 5 }).toBe(true);
  return work;
}

/** Asks again and again while time passes, until there is an answer of the web server. */
const untilAnswered = (remote: Remote, time: HeldTime) =>
  expect
    .poll(
      async () => {
        await time.pass(100);
        return (await ask(`${origin.url}/plain`, {}, remote.port)).status;
      },
      { interval: 5 },
    )
    .toBe(200);

test('without a ground end, browsers have a 504 within 2 s, then at once, and an answer once there is one', async () => {
  const time = new HeldTime();
  // Every client that connects is sent away.
  await using relay = await startTcpRelay(9);
  const notes: string[] = [];
  await using remote = await startTestRemote(relay.port, { onNote: (text) => notes.push(text), time });
  await expect.poll(() => notes.length, { interval: 5 }).toBeGreaterThan(0);
  const { answer } = await begin('/plain', remote);
  await time.pass(2000);
  expect((await answer).status).toBe(504);
  expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(504);
  await using ground = await startTestGround();
  relay.moveTo(ground.port);
  await untilAnswered(remote, time);
});

test('a ground end that is started again: what was under way is a 502 or 504, and the next is answered', async () => {
  const time = new HeldTime();
  const first = await startTestGround();
  await using relay = await startTcpRelay(first.port);
  await using remote = await startTestRemote(relay.port, { time });
  for (let round = 0; round < 3; round++) {
    const silent = ask(`${origin.url}/silent`, {}, remote.port);
    await expect.poll(() => origin.asked.filter((each) => each === 'GET /silent').length).toBe(round + 1);
    const ground = await startTestGround();
    relay.moveTo(ground.port);
    expect([502, 504]).toContain((await whileTimePasses(silent, { time })).status);
    expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
  }
});

test('a ground end that is gone: a 504 for what waits as soon as it is missed, and an end for what was half sent', async () => {
  const time = new HeldTime();
  const ground = await startTestGround();
  const port = ground.port;
  await using remote = await startTestRemote(port, { time });
  const before = origin.asked.length;
  const half = ask(`${origin.url}/endless`, {}, remote.port);
  const silent = ask(`${origin.url}/silent`, {}, remote.port);
  await expect.poll(() => origin.asked.length).toBe(before + 2);
  // Part of it has come.
  await expect.poll(() => count(remote, 'bodyBytes')).toBeGreaterThan(0);
  await ground[Symbol.asyncDispose]();
  // Long before it has been silent for 1.7 s, a connection is refused.
  const answer = await whileTimePasses(silent, { time, mostMs: 1500 });
  expect([502, 504]).toContain(answer.status);
  expect(await half).toMatchObject({ status: 200, isBrokenOff: true });
  expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(504);
  await using second = await startTestGround({ port });
  expect(second.port).toBe(port);
  await untilAnswered(remote, time);
});

test('a link that is cut for a moment loses nothing', async () => {
  const time = new HeldTime();
  await using ground = await startTestGround();
  await using relay = await startTcpRelay(ground.port);
  await using remote = await startTestRemote(relay.port, { time });
  const before = origin.asked.length;
  const slow = ask(`${origin.url}/chunked`, {}, remote.port);
  await expect.poll(() => origin.asked.length).toBe(before + 1);
  relay.halt();
  await time.pass(1300);
  relay.resume();
  expect(await slow).toMatchObject({ status: 200, isBrokenOff: false });
});

test('a link that is cut: a 504 within 2 s for what waits, and answers when it is back', async () => {
  const time = new HeldTime();
  await using ground = await startTestGround();
  await using relay = await startTcpRelay(ground.port);
  await using remote = await startTestRemote(relay.port, { time });
  relay.halt();
  const { answer } = await begin('/plain', remote);
  await time.pass(2000);
  expect((await answer).status).toBe(504);
  relay.resume();
  await untilAnswered(remote, time);
});

test('connections that break while a large answer is under way are opened again, and the answer is whole', async () => {
  const time = new HeldTime();
  await using ground = await startTestGround();
  await using relay = await startTcpRelay(ground.port);
  await using remote = await startTestRemote(relay.port, { time });
  const direct = await ask(`${origin.url}/big`);
  const bodyBytes = () => count(remote, 'bodyBytes');
  for (let part = 0; part < 4; part++) {
    const before = bodyBytes();
    const { answer } = await begin('/big', remote);
    await expect.poll(bodyBytes, { interval: 1 }).toBeGreaterThan(before + part * 500_000);
    relay.moveTo(ground.port);
    expect(await whileTimePasses(answer, { time })).toEqual(direct);
  }
});

test('another key is refused, with a line for the operator of each end', async () => {
  const time = new HeldTime();
  const notes: string[] = [];
  await using ground = await startTestGround({ onNote: (text) => notes.push(text) });
  await using remote = await startTestRemote(ground.port, {
    key: Buffer.from('a key that the ground end does not know'),
    onNote: (text) => notes.push(text),
    time,
  });
  await expect.poll(() => notes.join('\n')).toContain('The ground end has another key');
  const { answer } = await begin('/plain', remote);
  await time.pass(2000);
  expect((await answer).status).toBe(504);
  await expect.poll(() => notes.join('\n')).toContain('Refused a connection from 127.0.0.1');
});
