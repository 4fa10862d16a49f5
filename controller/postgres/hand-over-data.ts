import { existsSync } from 'node:fs';
import { cp, lchown, lstat, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from './choose-account.ts';
import { openFolder, shortHash } from './copy-binaries.ts';
import type { Owner } from './find-account-owners.ts';

/**
 * Gives the data of an installation to the account that runs its server from now on. Earlier versions ran it as another user, and kept the data
 * of some installations elsewhere. Returns whether anything was changed. Nothing may work in the folder meanwhile.
 */
export async function handOverData(dataFolder: string, { owner }: Account): Promise<boolean> {
  if (owner === null) return false;
  await takeBack(dataFolder);
  if (!existsSync(dataFolder) || (await lstat(dataFolder)).uid === owner.userId) return false;
  await own(dataFolder, owner);
  return true;
}

/** The folder itself comes last: until then an interrupted start begins again. */
async function own(folder: string, { userId, groupId }: Owner): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(path.join(entry.parentPath, entry.name), userId, groupId);
  }
  await lchown(folder, userId, groupId);
}

/** Brings data back that lay where "nobody" could reach it. */
async function takeBack(dataFolder: string): Promise<void> {
  const elsewhere = path.join(openFolder, `data-${shortHash(path.dirname(dataFolder))}`);
  if (existsSync(dataFolder) || !existsSync(elsewhere)) return;
  const unfinished = `${dataFolder}-unfinished-${process.pid}`;
  await cp(elsewhere, unfinished, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await rename(unfinished, dataFolder);
  await rm(elsewhere, { recursive: true });
}
