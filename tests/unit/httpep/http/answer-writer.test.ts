import { duplexPair, type Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { AnswerWriter } from '#httpep/http/answer-writer.ts';
import { settle } from '#tests/support/held-time.ts';

const part = Buffer.alloc(256 * 1024);

test.each([
  ['of a known length', ['Content-Length', String(part.length)]],
  ['in chunks', []],
])('a client that does not read holds up a body %s', async (_, headers) => {
  const [socket, client] = duplexPair();
  const asked = { method: 'GET', version: '1.1' as const, isLast: false, body: null, expects: false };
  const answer = new AnswerWriter(socket, { asked, before: Promise.resolve() });
  await answer.begin({ status: 200, reason: 'OK', headers });
  let isWritten = false;
  const written = answer.write(part).then(() => (isWritten = true));
  await settle();
  expect(isWritten).toBe(false);
  client.resume();
  await written;
});

test.each([
  ['is gone', (socket: Duplex) => void socket.destroy()],
  ['has had its end', (socket: Duplex) => void socket.end()],
])('a client that %s is sent nothing more, and that is no error', async (_, leave) => {
  const [socket, client] = duplexPair();
  const errors: Error[] = [];
  const received: Buffer[] = [];
  socket.on('error', (error) => errors.push(error));
  client.on('data', (bytes: Buffer) => received.push(bytes));
  leave(socket);
  const asked = { method: 'GET', version: '1.1' as const, isLast: false, body: null, expects: false };
  const answer = new AnswerWriter(socket, { asked, before: Promise.resolve() });
  const head = { status: 200, reason: 'OK', headers: [] };
  await answer.inform(head);
  await answer.begin(head);
  await answer.write(part);
  await answer.end();
  await answer.switch(head);
  await settle();
  expect({ isGone: answer.isGone, isFinished: answer.isFinished, errors }).toEqual({
    ...{ isGone: true, isFinished: false, errors: [] },
  });
  expect(received).toEqual([]);
});
