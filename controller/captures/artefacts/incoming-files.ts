import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#core/app-error.ts';
import type { AddedFile } from './artefact-store.ts';

interface IncomingFile {
  /** Null where it is not known before the file has come. */
  sha256: string | null;
  contents: AsyncIterable<Buffer>;
  maximumBytes: number;
}

/** Files on the disk while they come, and until what they hold is known to be what their names say. */
export class IncomingFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Gives a whole file to `keep`, which may take it away; nothing is left of it afterwards. Throws `too-large` and `invalid-input`. */
  async receive(
    { sha256, contents, maximumBytes }: IncomingFile,
    keep: (file: string, found: AddedFile) => Promise<void>,
  ): Promise<AddedFile> {
    const file = path.join(this.#folder, randomUUID());
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    try {
      const found = await write(file, { contents, maximumBytes });
      if (sha256 !== null && found.sha256 !== sha256)
        throw new AppError(
          'invalid-input',
          `The contents have the SHA-256 ${found.sha256}, not ${sha256}: they were damaged in transit, send them again`,
        );
      await keep(file, found);
      return found;
    } finally {
      await rm(file, { force: true });
    }
  }

  async removeBefore(epochMs: number): Promise<void> {
    for (const name of await readdir(this.#folder).catch(noneWhenMissing)) {
      const file = path.join(this.#folder, name);
      const facts = await stat(file).catch(nullWhenMissing);
      if (facts !== null && facts.mtimeMs < epochMs) await rm(file, { force: true });
    }
  }
}

async function write(file: string, { contents, maximumBytes }: Omit<IncomingFile, 'sha256'>): Promise<AddedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const check = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maximumBytes) throw new AppError('too-large', `The file has more than ${maximumBytes} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  };
  // Opened before anything can fail: a stream that is given up while it opens its file makes it all the same, after it was removed.
  const handle = await open(file, 'wx', 0o600);
  await pipeline(contents, check, handle.createWriteStream({ flush: true }));
  return { sha256: hash.digest('hex'), bytes };
}

/** Renames a file that was flushed. After a crash of the machine it still has its new name, in a folder that is made if need be. */
export async function renameForGood(from: string, to: string): Promise<void> {
  const folder = path.dirname(to);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(from, to);
  await syncFolder(folder);
  if (made !== undefined) await syncFolder(path.dirname(made));
}

/** The names of files are contents of their folder, which are flushed by themselves. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems flush no folders.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function noneWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
