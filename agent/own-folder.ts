import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/** What a temporary folder of an Agent is for. */
export type FolderPurpose = 'browser' | 'httpep' | 'recording';

/** A temporary folder; disposing of it removes it. */
export interface OwnFolder extends AsyncDisposable {
  readonly path: string;
}

/** The name shows who made it: containers may share a folder for temporary files, and each counts its processes by itself. No host's mark begins with another's. */
const prefixOf = (purpose: FolderPurpose) => `http-ae-${purpose}-${markOfHost}-`;
export const markOfHost = createHash('sha256').update(hostname()).digest('hex').slice(0, 6);

export async function makeOwnFolder(parent: string, purpose: FolderPurpose): Promise<OwnFolder> {
  const folder = await mkdtemp(path.join(parent, `${prefixOf(purpose)}${process.pid}-`));
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => {
      // Dying processes may still write: tried again for a second.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      process.off('exit', removeAtExit);
    },
  };
}

/** Removes the folders of processes on this host that were killed before they could. */
export async function removeAbandonedFolders(parent: string, purpose: FolderPurpose): Promise<void> {
  const prefix = prefixOf(purpose);
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  const abandoned = names.filter((name) => !isAlive(Number.parseInt(name.slice(prefix.length))));
  await Promise.all(abandoned.map((name) => removeUnlessForeign(path.join(parent, name))));
}

/** What an Agent of another user has left, or one that was root, is for such a one to remove. */
async function removeUnlessForeign(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // Not ours to signal, and so alive, is EPERM.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
