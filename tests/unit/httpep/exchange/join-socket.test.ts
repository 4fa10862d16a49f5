import { once } from 'node:events';
import { duplexPair, PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { joinSocket } from '#httpep/exchange/join-socket.ts';

async function* never(): AsyncGenerator<never> {
  await new Promise(() => undefined);
  yield undefined as never;
}

/** A socket that is joined to a stream, and what the other end of the stream sees. */
function join() {
  const [socket, peer] = duplexPair();
  const stream = new PassThrough().resume();
  for (const each of [socket, peer, stream]) each.on('error', () => undefined);
  void joinSocket(socket, { stream, records: never() });
  return { socket, peer, stream };
}

test('a socket that breaks off breaks its stream off, which then has no regular end', async () => {
  const { socket, peer, stream } = join();
  peer.write('half');
  socket.destroy(new Error('reset'));
  await once(stream, 'close');
  expect(stream.writableFinished).toBe(false);
});

test('a socket that ends ends its stream', async () => {
  const { peer, stream } = join();
  peer.end('whole');
  await once(stream, 'finish');
  expect(stream.writableFinished).toBe(true);
});
