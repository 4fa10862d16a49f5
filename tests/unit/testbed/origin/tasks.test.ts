import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { drawInstants, Task } from '#testbed/origin/tasks/task.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin({}));

/** The part of the page's requests that is the task's own. */
async function openTask(task: string, query: string): Promise<string> {
  const page = await (await fetch(`${origin.httpUrl}/task/${task}?${query}`)).text();
  return `${origin.httpUrl}${/"path":"(\/task\/[0-9a-f]{24})"/.exec(page)![1]!}`;
}

describe('instants of messages', () => {
  test('are half to one and a half gaps apart, the same each time', () => {
    const instants = drawInstants({ messages: 1000, gapMs: 200 });
    const gaps = instants.slice(1).map((atMs, index) => atMs - instants[index]!);
    expect(instants[0]).toBe(0);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(300);
    expect(instants.at(-1)! / 999 / 200).toBeCloseTo(1, 1);
    expect(drawInstants({ messages: 1000, gapMs: 200 })).toEqual(instants);
  });
});

test('a task has as many messages as were asked for, each of its size, and forgets what comes beyond', () => {
  using task = new Task(
    { task: 'server-update', by: 'long-polling', messages: 3, payloadBytes: 4, gapMs: 100, lateAfterMs: 1000 },
    () => 7,
  );
  for (let number = 1; number <= 5; number++) task.publish(number);
  expect(task.messagesAfter(0)).toEqual([1, 2, 3].map((number) => ({ number, arisenEpochMs: 7, payload: 'xxxx' })));
  expect(task.messagesAfter(2).map(({ number }) => number)).toEqual([3]);
});

describe('a task at the origin', () => {
  test('a poll waits for a message, and brings all that wait', async () => {
    const url = await openTask('server-update', 'by=long-polling&messages=3&gapMs=100&payloadBytes=4');
    const poll = async (after: number) =>
      (await (await fetch(`${url}/poll?after=${after}`)).json()) as { number: number; payload: string }[];
    expect(await poll(0)).toEqual([{ number: 1, payload: 'xxxx', arisenEpochMs: expect.any(Number) as number }]);
    // The last one has come.
    expect((await poll(2)).map(({ number }) => number)).toEqual([3]);
    expect((await poll(1)).map(({ number }) => number)).toEqual([2, 3]);
  });

  test('counts the bytes of its connections, and is over with that', async () => {
    const url = await openTask('chat', 'by=sse&messages=1');
    const body = JSON.stringify({ number: 1, payload: 'x'.repeat(50) });
    expect((await fetch(`${url}/send`, { method: 'POST', body })).status).toBe(204);
    const { bytes } = (await (await fetch(`${url}/bytes`)).json()) as { bytes: number };
    expect(bytes).toBeGreaterThan(0);
    expect((await fetch(`${url}/clock`)).status).toBe(404);
  });

  test.for([
    ['chat', 'by=pigeon', /by must be one of long-polling, sse, websocket/],
    ['chat', 'by=sse&messages=1001', /messages must be at most 1000/],
    ['chat', 'by=sse&gapMs=-1', /gapMs must be a whole number/],
  ] as const)('/task/%s?%s is refused', async ([task, query, words]) => {
    const answer = await fetch(`${origin.httpUrl}/task/${task}?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(words);
  });

  test('what is no message is refused, and so is one that is too long', async () => {
    const url = await openTask('chat', 'by=sse&messages=2&payloadBytes=10');
    const send = async (body: string) => (await fetch(`${url}/send`, { method: 'POST', body })).status;
    for (const body of ['', '{', '[]', '{"number":0,"payload":""}', '{"number":1}', 'x'.repeat(5000)])
      expect(await send(body), body.slice(0, 30)).toBe(400);
    expect((await fetch(`${url}/dance`)).status).toBe(404);
    expect((await fetch(`${url}/poll?after=x`)).status).toBe(400);
    expect((await fetch(`${origin.httpUrl}/images/1`, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('a WebSocket carries messages both ways, and ends with the first wrong one', async () => {
    const url = await openTask('client-update', 'by=websocket&messages=2&payloadBytes=10');
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`);
    await once(socket, 'open');
    socket.send('{"number":2,"payload":"x"}');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ number: 2 });
    socket.send('nonsense');
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1007);
  });

  test.for(['/task/000000000000000000000000/socket', '/images/1'])('no WebSocket is opened at %s', async (path) => {
    const socket = new WebSocket(`${origin.httpUrl.replace('http', 'ws')}${path}`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  });
});
