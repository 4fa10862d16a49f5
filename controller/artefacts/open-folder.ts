import path from 'node:path';
import type { ArtefactPlace } from './artefact-store.ts';
import { readFolderId, writeFolderId } from './folder-id.ts';
import { FolderStore } from './folder-store.ts';

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
