import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { readLines, type TextLine } from './read-lines.ts';
import { BundleLineSchema, type BundleLine } from '#core/record/bundle-line.ts';

/** A Visit with ten thousand requests and their headers stays far below it. */
const maximumLineCharacters = 64 * 1024 * 1024;

/** The lines of a bundle, checked. Throws `invalid-input` when the file cannot be read, `damaged-bundle` with the place where it is not as it was written. */
export async function* readBundle(file: string): AsyncGenerator<BundleLine> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const { text, isWhole } of unpackLines(file, () => count)) {
    const line = parseLine(text, { file, number: count + 1 });
    if (count === 0 && line.kind !== 'bundle') throw damaged(file, 'line 1 is not the first line of an HTTP-AE bundle');
    if (line.kind === 'end') {
      if (line.lines !== count) throw damaged(file, `its last line counts ${line.lines} lines, but it has ${count}`);
      if (line.sha256 !== hash.digest('hex'))
        throw damaged(file, 'its hash differs from the one in its last line: its contents were changed');
      return;
    }
    if (!isWhole) break;
    hash.update(`${text}\n`);
    count++;
    yield line;
  }
  throw damaged(file, `it ends too early, after line ${count}`);
}

async function* unpackLines(file: string, countLines: () => number): AsyncGenerator<TextLine> {
  await using source = await openFile(file);
  const unpacked = createGunzip();
  const packed = source.createReadStream({ autoClose: false }).on('error', (error) => unpacked.destroy(error));
  packed.pipe(unpacked);
  try {
    yield* readLines(unpacked, { limit: maximumLineCharacters });
  } catch (cause) {
    if (cause instanceof AppError) throw damaged(file, `after line ${countLines()} ${cause.message}`);
    throw damaged(file, `it cannot be unpacked after line ${countLines()} (${(cause as Error).message})`);
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `${file} cannot be read (${(cause as Error).message}): name a bundle from "export RUN --format bundle"`,
      { cause },
    );
  }
}

function parseLine(text: string, { file, number }: { file: string; number: number }): BundleLine {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw damaged(file, `line ${number} is not JSON`);
  }
  const parsed = BundleLineSchema.safeParse(input);
  if (!parsed.success) throw damaged(file, `line ${number} is invalid: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function damaged(file: string, where: string): AppError {
  return new AppError(
    'damaged-bundle',
    `${file} is damaged or not a bundle: ${where}. Export the Run again, or copy the file again`,
  );
}
