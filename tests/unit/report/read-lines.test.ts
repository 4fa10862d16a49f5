import { expect, test } from 'vitest';
import { readLines } from '#cli/report/read-lines.ts';

async function* cut(text: string, pieceLength: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

test('lines are the same however the text is cut, and a last one without a line feed is not whole', async () => {
  for (const length of [1, 3, 7, 1000]) {
    const lines = await Array.fromAsync(readLines(cut('één\n\nzwei – 2\nlast', length), { limit: 100 }));
    expect(lines).toEqual([{ text: 'één', isWhole: true }, { text: '', isWhole: true }, { text: 'zwei – 2', isWhole: true }, { text: 'last', isWhole: false }]);
  }
});

test('a line that is too long is refused before it is kept, with no more read than its limit', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    while (true) {
      read += 1000;
      yield Buffer.alloc(1000, 'a');
    }
  }
  await expect(Array.fromAsync(readLines(endless(), { limit: 10_000 }))).rejects.toMatchObject({ code: 'too-large' });
  expect(read).toBeLessThanOrEqual(11_000);
});

test('a line in very many pieces takes time that grows with its length, not with its square', async () => {
  const startedMs = performance.now();
  const [line] = await Array.fromAsync(readLines(cut('a'.repeat(32 * 1024 * 1024), 256), { limit: Infinity }));
  expect(line!.text).toHaveLength(32 * 1024 * 1024);
  // Splitting anew with each of the 131,072 pieces takes minutes.
  expect(performance.now() - startedMs).toBeLessThan(8_000);
});
