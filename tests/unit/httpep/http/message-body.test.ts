import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader } from '#httpep/http/byte-reader.ts';
import { frameAnswer, MessageBody, type Framing } from '#httpep/http/message-body.ts';
import { parseAnswerHead, readLines } from '#httpep/http/message-head.ts';

/** A socket that gets the bytes in these pieces, and then ends. */
function makeReader(text: string, lengths: readonly number[]): ByteReader {
  const socket = new PassThrough();
  const bytes = Buffer.from(text, 'latin1');
  let at = 0;
  const send = async () => {
    for (let piece = 0; at < bytes.length; piece++) {
      const length = lengths[piece % lengths.length]!;
      socket.write(bytes.subarray(at, at + length));
      at += length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.end();
  };
  void send();
  return new ByteReader(socket);
}

async function readBody(reader: ByteReader, framing: Framing, isStrict = true) {
  const body = new MessageBody(reader, { framing, isStrict });
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return { text: Buffer.concat(parts).toString('latin1'), trailers: body.trailers, isComplete: body.isComplete };
}

const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

test('a message is the same, however its bytes come in pieces', async () => {
  const text =
    'HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n, world!!!\r\n0\r\nSum: 2\r\n\r\nHTTP/1.1 204 No\r\n\r\n';
  await fc.assert(
    fc.asyncProperty(pieces, async (lengths) => {
      const reader = makeReader(text, lengths);
      const head = parseAnswerHead((await readLines(reader, 'an answer'))!);
      expect(head).toMatchObject({ status: 200, headers: ['X', '1', 'Transfer-Encoding', 'chunked'] });
      const body = await readBody(reader, frameAnswer(head, 'GET'));
      expect(body).toEqual({ text: 'hello, world!!!', trailers: ['Sum', '2'], isComplete: true });
      expect(parseAnswerHead((await readLines(reader, 'an answer'))!).status).toBe(204);
      expect(await readLines(reader, 'an answer')).toBeNull();
    }),
  );
});

test.each([
  ['it ends within a chunk', '5\r\nhel', 'broke off'],
  ['it ends before the last chunk', '5\r\nhello\r\n', 'broke off'],
  ['a chunk has no length', 'x\r\n', 'no length'],
  ['a chunk has a length beyond all bounds', 'fffffffffffff\r\n', 'no length'],
  ['a chunk is longer than it says', '3\r\nhello\r\n', 'longer than it says'],
  ['the line of a chunk is endless', `1;${'x'.repeat(20_000)}`, 'too long'],
])('a chunked body of which %s is refused', async (_, text, words) => {
  await expect(readBody(makeReader(text, [7]), { kind: 'chunked' })).rejects.toThrow(words);
});

test('a body of a stated length that ends before is refused', async () => {
  await expect(readBody(makeReader('hello', [2]), { kind: 'length', bytes: 6 })).rejects.toThrow('broke off');
});

test('bytes are read as they are needed, so that a sender is held up', async () => {
  const socket = new PassThrough({ highWaterMark: 16 });
  const body = new MessageBody(new ByteReader(socket), { framing: { kind: 'length', bytes: 64 }, isStrict: true });
  expect(socket.write(Buffer.alloc(64))).toBe(false);
  const parts = body[Symbol.asyncIterator]();
  await parts.next();
  expect(socket.readableLength).toBe(0);
});
