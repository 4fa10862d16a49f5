import path from 'node:path';
import type { ArtefactPlace } from './artefact-store.ts';
import { FolderStore } from './folder-store.ts';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** Below which name pictures are kept, in folders and buckets: called so when screenshots were all there was. */
export const picturesName = 'screenshots';

/** A folder of this machine, or one that Controllers share. */
export function openFolder(folder: string): ArtefactPlace {
  let id: Promise<string> | null = null;
  return {
    name: folder,
    traces: new FolderStore(folder),
    pictures: new FolderStore(path.join(folder, picturesName)),
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
  } finally {
    await rm(own, { force: true });
  }
}
