import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { MessageBody } from '#core/http1/message-body.ts';
import { ByteReader } from '#httpep/http/byte-reader.ts';

test('bytes are read as they are needed, so that a sender is held up', async () => {
  const socket = new PassThrough({ highWaterMark: 16 });
  const body = new MessageBody(new ByteReader(socket), { framing: { kind: 'length', bytes: 64 }, isStrict: true });
  expect(socket.write(Buffer.alloc(64))).toBe(false);
  const parts = body[Symbol.asyncIterator]();
  await parts.next();
  expect(socket.readableLength).toBe(0);
});
