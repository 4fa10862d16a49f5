import { chown } from 'node:fs/promises';
import { makeOwnFolder, type OwnFolder } from '../../own-folder.ts';
import type { OsUser } from '../../users/find-os-user.ts';

/** A folder for one browser's profile and temporary files, of the user who runs it; disposing of it removes it. */
export async function makeProfileFolder(parent: string, owner?: OsUser): Promise<OwnFolder> {
  const folder = await makeOwnFolder(parent, 'browser');
  if (owner) await chown(folder.path, owner.uid, owner.gid);
  return folder;
}

/** Ends the process, which leads a group, and all of the group, which may outlive it for a moment. Nothing is lost by it: what it held is temporary. */
export function killGroup(processId: number): void {
  try {
    process.kill(-processId, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
