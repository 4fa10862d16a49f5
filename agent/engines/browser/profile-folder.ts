import { rmSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { OsUser } from '../../users/find-os-user.ts';

/** A folder for one browser's profile and temporary files; disposing of it removes it. */
export interface ProfileFolder extends AsyncDisposable {
  readonly path: string;
}

/** The name shows who made it: containers may share a folder for temporary files, and each counts its processes by itself. */
const ownPrefix = `http-ae-browser-${hostname().slice(0, 16)}-`;

export async function makeProfileFolder(parent: string, owner?: OsUser): Promise<ProfileFolder> {
  const folder = await mkdtemp(path.join(parent, `${ownPrefix}${process.pid}-`));
  if (owner) await chown(folder, owner.uid, owner.gid);
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
export async function removeAbandonedFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(ownPrefix));
  const abandoned = names.filter((name) => !isAlive(Number.parseInt(name.slice(ownPrefix.length))));
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
