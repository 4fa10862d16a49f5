import { AppError } from '#core/app-error.ts';

/** The lines of a text that comes in pieces. `isWhole`: it ended in a line feed. */
export interface TextLine {
  text: string;
  isWhole: boolean;
}

/** In time that grows with the length of the text, however long its lines are. Throws a TypeError where it is not UTF-8, and `too-large` at a line of more than `limit` characters, which is not kept. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  { limit }: { limit: number },
): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let begun: string[] = [];
  let begunLength = 0;
  for await (const piece of pieces) {
    const parts = decoder.decode(piece, { stream: true }).split('\n');
    for (const [index, part] of parts.entries()) {
      begun.push(part);
      begunLength += part.length;
      if (begunLength > limit) throw new AppError('too-large', `a line has more than ${limit} characters`);
      if (index === parts.length - 1) continue;
      yield { text: begun.join(''), isWhole: true };
      begun = [];
      begunLength = 0;
    }
  }
  decoder.decode(); // throws if the last character is not whole
  if (begunLength > 0) yield { text: begun.join(''), isWhole: false };
}
