import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Sha256Schema } from '#core/protocol/capture-outcome.ts';
import type { ArtefactStore, StoredFile } from './artefact-store.ts';
import { IncomingFiles } from './incoming-files.ts';

const startOfHash = /^[0-9a-f]{2}$/;

/** A folder of files, `ab/cdef…`, which Controllers may share. */
export class FolderStore implements ArtefactStore {
  readonly #folder: string;
  readonly #incoming: IncomingFiles;

  constructor(folder: string) {
    this.#folder = folder;
    this.#incoming = new IncomingFiles(path.join(folder, 'incoming'));
  }

  async receive(
    sha256: string,
    contents: AsyncIterable<Buffer>,
    { maximumBytes }: { maximumBytes: number },
  ): Promise<number> {
    const file = this.#pathOf(sha256);
    return this.#incoming.receive({ sha256, contents, maximumBytes }, async (incoming) => {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await rename(incoming, file);
    });
  }

  async sizeOf(sha256: string): Promise<number | null> {
    return (await stat(this.#pathOf(sha256)).catch(nullWhenMissing))?.size ?? null;
  }

  async open(sha256: string): Promise<StoredFile | null> {
    const handle = await open(this.#pathOf(sha256)).catch(nullWhenMissing);
    if (handle === null) return null;
    try {
      const { size } = await handle.stat(); // nobody writes to a file that has its name
      return {
        bytes: size,
        read: () => handle.createReadStream({ autoClose: false }),
        [Symbol.asyncDispose]: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#pathOf(sha256), { force: true });
  }

  async *list(): AsyncGenerator<string> {
    const folders = ((await readdir(this.#folder).catch(nullWhenMissing)) ?? []).filter((name) =>
      startOfHash.test(name),
    );
    for (const start of folders.sort())
      for (const rest of (await readdir(path.join(this.#folder, start))).sort()) {
        const { success, data } = Sha256Schema.safeParse(start + rest);
        if (success) yield data;
      }
  }

  removeIncomingBefore(epochMs: number): Promise<void> {
    return this.#incoming.removeBefore(epochMs);
  }

  #pathOf(sha256: string): string {
    Sha256Schema.parse(sha256);
    return path.join(this.#folder, sha256.slice(0, 2), sha256.slice(2));
  }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
