import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameAnswer, MessageBody, type Framing } from '#core/http1/message-body.ts';
import { keepsOpen, readAnswerHead, readLines, type ByteSource } from '#core/http1/message-head.ts';

/** Bytes that come in pieces of these lengths, in turn, and then end. */
function inPieces(text: string, lengths: readonly number[]): ByteSource {
  const all = Buffer.from(text, 'latin1');
  let came = 0;
  let taken = 0;
  let piece = 0;
  return {
    get bytes() {
      return all.subarray(taken, came);
    },
    take(length) {
      const start = taken;
      taken = Math.min(taken + length, came);
      return all.subarray(start, taken);
    },
    fill() {
      const before = came;
      came = Math.min(came + lengths[piece++ % lengths.length]!, all.length);
      return Promise.resolve(came > before);
    },
  };
}

async function readBody(source: ByteSource, framing: Framing, isStrict = true) {
  const body = new MessageBody(source, { framing, isStrict });
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
      const source = inPieces(text, lengths);
      const head = (await readAnswerHead(source, { mayBeCut: false }))!;
      expect(head).toMatchObject({ status: 200, headers: ['X', '1', 'Transfer-Encoding', 'chunked'] });
      const body = await readBody(source, frameAnswer(head, 'GET'));
      expect(body).toEqual({ text: 'hello, world!!!', trailers: ['Sum', '2'], isComplete: true });
      expect(await readAnswerHead(source, { mayBeCut: false })).toMatchObject({ status: 204 });
      expect(await readAnswerHead(source, { mayBeCut: false })).toBeNull();
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
  await expect(readBody(inPieces(text, [7]), { kind: 'chunked' })).rejects.toThrow(words);
});

test.each([204, 205, 304])('an answer %i has no body, also where it names one', (status) => {
  const answer = { status, reason: '', version: '1.1' as const, droppedCount: 0 };
  for (const field of [['Content-Length', '5'], ['Transfer-Encoding', 'chunked'], []])
    expect(frameAnswer({ ...answer, headers: field }, 'GET')).toEqual({ kind: 'none' });
});

describe('a request whose bytes come one by one', () => {
  const read = (text: string) => readLines(inPieces(text, [1]), 'the request', { isStrict: true });

  test('is read when its head is whole', async () => {
    expect(await read('\r\nGET / HTTP/1.1\r\nX: 1\r\n\r\nY')).toEqual(['GET / HTTP/1.1\r', 'X: 1\r']);
  });

  test.each([['\x16\x03'], ['GET /\r\nX: 1'], ['GET / HTTP/1.1\nX: 1'], ['GET / HTTP/3.0\r\nX: 1']])(
    'is refused when it can no longer be one: %j',
    async (text) => {
      await expect(read(text)).rejects.toThrow(/no request of HTTP|does not end with CR LF|is not spoken/);
    },
  );
});

test('a body of a stated length that ends before is refused', async () => {
  await expect(readBody(inPieces('hello', [2]), { kind: 'length', bytes: 6 })).rejects.toThrow('broke off');
});

describe('behind an answer', () => {
  test.each([
    ['1.1', [], true],
    ['1.0', [], false],
    ['1.1', ['Connection', 'x, Close'], false],
    ['1.0', ['connection', 'Keep-Alive'], true],
    ['1.0', ['Proxy-Connection', 'keep-alive'], true],
    ['1.1', ['Connection', 'keep-alive, close'], true],
    ['1.1', ['Connection', 'close', 'Connection', 'keep-alive'], false],
  ] as const)('of HTTP/%s with %j the connection stays open: %s', (version, headers, isOpen) => {
    expect(keepsOpen({ version, headers: [...headers] })).toBe(isOpen);
  });
});
