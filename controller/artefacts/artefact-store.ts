import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#core/app-error.ts';
import { Sha256Schema } from '#core/protocol/capture-outcome.ts';

/** Files by the SHA-256 of their contents, which is all that their names are made of. */
export class ArtefactStore {
  readonly #folder: string;
  readonly #maximumBytes: number;

  /** `maximumBytes`: of one file. */
  constructor(folder: string, { maximumBytes }: { maximumBytes: number }) {
    this.#folder = folder;
    this.#maximumBytes = maximumBytes;
  }

  /**
   * Stores what comes, or nothing when it breaks off. Throws `too-large`, and `invalid-input` when the contents have another hash; one that
   * is there already is stored again. Returns how many bytes came.
   */
  async receive(sha256: string, contents: AsyncIterable<Buffer>): Promise<number> {
    const file = this.#pathOf(sha256);
    const incoming = path.join(this.#incomingFolder, randomUUID());
    await mkdir(this.#incomingFolder, { recursive: true, mode: 0o700 });
    try {
      const { found, bytes } = await this.#write(contents, incoming);
      if (found !== sha256)
        throw new AppError(
          'invalid-input',
          `The contents have the SHA-256 ${found}, not ${sha256}: they were damaged in transit, send them again`,
        );
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await rename(incoming, file);
      return bytes;
    } finally {
      await rm(incoming, { force: true });
    }
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.sizeOf(sha256)) !== null;
  }

  /** How many bytes it has; null when it is not there. */
  async sizeOf(sha256: string): Promise<number | null> {
    return (await stat(this.#pathOf(sha256)).catch(nullWhenMissing))?.size ?? null;
  }

  /** Null when it is not there. The caller closes it. */
  async open(sha256: string): Promise<FileHandle | null> {
    return open(this.#pathOf(sha256)).catch(nullWhenMissing);
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#pathOf(sha256), { force: true });
  }

  /** Removes it unless it was written since, which may have been by another upload of the same contents. */
  async removeWrittenBefore(sha256: string, epochMs: number): Promise<void> {
    await removeOld(this.#pathOf(sha256), epochMs);
  }

  /** Removes what uploads left behind when their Controller was killed: what nobody has written to since. */
  async removeIncomingBefore(epochMs: number): Promise<void> {
    const names = (await readdir(this.#incomingFolder).catch(nullWhenMissing)) ?? [];
    for (const name of names) await removeOld(path.join(this.#incomingFolder, name), epochMs);
  }

  get #incomingFolder(): string {
    return path.join(this.#folder, 'incoming');
  }

  async #write(contents: AsyncIterable<Buffer>, file: string): Promise<{ found: string; bytes: number }> {
    const hash = createHash('sha256');
    const maximumBytes = this.#maximumBytes;
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
    return { found: hash.digest('hex'), bytes };
  }

  #pathOf(sha256: string): string {
    Sha256Schema.parse(sha256);
    return path.join(this.#folder, sha256.slice(0, 2), sha256.slice(2));
  }
}

async function removeOld(file: string, beforeEpochMs: number): Promise<void> {
  const facts = await stat(file).catch(nullWhenMissing);
  if (facts !== null && facts.mtimeMs < beforeEpochMs) await rm(file, { force: true });
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
