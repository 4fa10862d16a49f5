import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines, type TextLine } from '#cli/report/read-lines.ts';

function* cut(text: string, pieceLength: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

async function linesOf(pieces: Iterable<Buffer>, limit: number): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for await (const line of readLines(Readable.from(pieces), { limit })) lines.push(line);
  return lines;
}

test('lines are the same however the text is cut, and a last one without a line feed is not whole', async () => {
  for (const length of [1, 3, 7, 1000]) {
    expect(await linesOf(cut('één\n\nzwei – 2\nlast', length), 100)).toEqual([
      { text: 'één', isWhole: true },
      { text: '', isWhole: true },
      { text: 'zwei – 2', isWhole: true },
      { text: 'last', isWhole: false },
    ]);
  }
});

test('a line that is too long is refused before it is kept, with little more read than its limit', async () => {
  let read = 0;
  function* endless(): Generator<Buffer> {
    while (true) {
      read += 1000;
      yield Buffer.alloc(1000, 'a');
    }
  }
  await expect(linesOf(endless(), 1_000_000)).rejects.toMatchObject({ code: 'too-large' });
  expect(read).toBeLessThan(1_200_000);
});

test('a line in very many pieces takes time that grows with its length, not with its square', async () => {
  // Splitting again with each of the 131,072 pieces takes minutes: longer than a test may take.
  const [line] = await linesOf(cut('a'.repeat(32 * 1024 * 1024), 256), Infinity);
  expect(line!.text).toHaveLength(32 * 1024 * 1024);
});
