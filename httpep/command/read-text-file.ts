import { createReadStream } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import { decodeText, maximumTextBytes } from '#core/input/decode-text.ts';

/**
 * The text of a file that a person names, also of a pipe. Throws `invalid-input` where it is too large or not UTF-8, and with `advice` where it cannot be read: what to name instead, or the
 * whole sentence.
 */
export async function readTextFile(file: string, advice: string | ((why: string) => string)): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    // A device may have no end.
    for await (const part of createReadStream(file, { end: maximumTextBytes })) {
      parts.push(part as Buffer);
      length += (part as Buffer).length;
    }
  } catch (cause) {
    const why = (cause as Error).message;
    const sentence = typeof advice === 'string' ? `${file} cannot be read (${why}): ${advice}` : advice(why);
    throw new AppError('invalid-input', sentence, { cause });
  }
  if (length > maximumTextBytes)
    throw new AppError('invalid-input', `${file} has more than ${maximumTextBytes} bytes: name a smaller file`);
  return decodeText(Buffer.concat(parts), file);
}
