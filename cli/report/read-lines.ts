import { z } from 'zod';
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

const longestRow = 1_000_000;

/** The rows that a Controller sends of a Run as JSON lines. The last line counts them, as `{ "visits": 36 }`. Throws `internal` where some are missing. */
export async function* readRows<Row extends z.ZodType>(
  { body }: Pick<Response, 'body'>,
  { run, row, counted }: { run: string; row: Row; counted: 'visits' | 'captures' },
): AsyncGenerator<z.output<Row>> {
  const incomplete = (cause?: unknown) =>
    new AppError('internal', `Run ${run} was not received completely: export it again`, { cause });
  const End = z.strictObject({ [counted]: z.int() });
  let count = 0;
  let announced: number | null = null;
  try {
    for await (const { text } of readLines(body!, { limit: longestRow })) {
      const line: unknown = JSON.parse(text);
      const { data, error } = row.safeParse(line);
      if (error) {
        announced = End.parse(line)[counted]!;
        continue;
      }
      yield data;
      count++;
    }
  } catch (cause) {
    // As `fetch` says that the connection broke.
    throw cause instanceof TypeError ? incomplete(cause) : cause;
  }
  if (announced !== count) throw incomplete();
}
