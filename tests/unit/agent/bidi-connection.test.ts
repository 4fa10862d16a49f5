import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { BidiConnection } from '#agent/engines/firefox/bidi-connection.ts';

const EventSchema = z.object({ url: z.string() });

/** A connection to a browser that answers each command with this. */
async function openAnswered(answer: unknown) {
  const stack = new AsyncDisposableStack();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  stack.defer(async () => {
    for (const client of server.clients) client.terminate();
    server.close();
    await once(server, 'close');
  });
  server.on('connection', (socket) => socket.on('message', () => socket.send(JSON.stringify(answer))));
  const connection = await BidiConnection.open({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWithinMs: 20_000,
  });
  return { connection, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test.for([
  { what: 'an event of another shape', answer: { type: 'event', method: 'page.came', params: { url: 7 } } },
  { what: 'a message of another shape', answer: { type: 'other' } },
])('$what ends the connection with its reason, and not the program', async ({ answer }) => {
  await using browser = await openAnswered(answer);
  const { connection } = browser;
  using _ = connection.on('page.came', (params) => void EventSchema.parse(params));
  await expect(connection.send('session.new')).rejects.toMatchObject({
    code: 'browser-failed',
    message: expect.stringMatching(/^The browser sent what HTTP-AE cannot read, please report it: /) as string,
  });
  expect(connection.closed.aborted).toBe(true);
});
