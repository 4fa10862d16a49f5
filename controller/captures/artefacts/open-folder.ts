import path from 'node:path';
import type { AddedFile, AddOptions, ArtefactPlace, ArtefactStore, StoredFile } from './artefact-store.ts';
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { Sha256Schema } from '#core/protocol/capture-outcome.ts';
import { IncomingFiles, nullWhenMissing, renameForGood, syncFolder } from './incoming-files.ts';

/** Below which name pictures are kept, in folders and buckets: called so when screenshots were all there was. */
export const picturesName = 'screenshots';
/** Below which name Sites are kept. */
export const sitesName = 'sites';

/** A folder of this machine, or one that Controllers share. */
export function openFolder(folder: string): ArtefactPlace {
  let id: Promise<string> | null = null;
  return {
    name: folder,
    traces: new FolderStore(folder),
    pictures: new FolderStore(path.join(folder, picturesName)),
    sites: new FolderStore(path.join(folder, sitesName)),
    // A folder that cannot be read now is asked again.
    readId: () =>
      (id ??= readFolderId(folder).catch((error: unknown) => {
        id = null;
        throw error;
      })),
    writeId: async (written) => {
      await writeFolderId(folder, written);
      id = null;
    },
  };
}

/** The id of a folder of artefacts, which is kept in it; made when it has none. */
async function readFolderId(folder: string): Promise<string> {
  await writeBeside(folder, randomUUID(), (own, file) =>
    link(own, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // made before, or by another Controller just now
    }),
  );
  return z.uuid().parse((await readFile(path.join(folder, 'store-id'), 'utf8')).trim());
}

async function writeFolderId(folder: string, id: string): Promise<void> {
  await writeBeside(folder, id, rename);
}

async function writeBeside(
  folder: string,
  id: string,
  keep: (own: string, file: string) => Promise<void>,
): Promise<void> {
  const file = path.join(folder, 'store-id');
  const own = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(own, `${id}\n`, { mode: 0o600, flush: true });
    await keep(own, file);
    await syncFolder(folder);
  } finally {
    await rm(own, { force: true });
  }
}

const startOfHash = /^[0-9a-f]{2}$/;

/** A folder of files, `ab/cdef…`, which Controllers may share. */
class FolderStore implements ArtefactStore {
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
    Sha256Schema.parse(sha256);
    const keep = (incoming: string) => this.#keep(incoming, sha256);
    return (await this.#incoming.receive({ sha256, contents, maximumBytes }, keep)).bytes;
  }

  add(contents: AsyncIterable<Buffer>, { maximumBytes, check }: AddOptions): Promise<AddedFile> {
    return this.#incoming.receive({ sha256: null, contents, maximumBytes }, async (incoming, found) => {
      await check(incoming, found);
      await this.#keep(incoming, found.sha256);
    });
  }

  #keep(incoming: string, sha256: string): Promise<void> {
    return renameForGood(incoming, this.#pathOf(sha256));
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
