import { rename, rm, writeFile } from 'node:fs/promises';
import { isHeld } from '../home/token-ledger.ts';
import { localAccessFile, readLocalAccess, type LocalAccess } from './controller-access.ts';

/**
 * Lets `evaluate` and `export` of this user find the Controller without flags, until disposed of. Of several Controllers the
 * one started last is found; when it stops, the one it replaced is found again, unless that was killed.
 */
export async function announceController(homeFolder: string, access: LocalAccess): Promise<AsyncDisposable> {
  const file = localAccessFile(homeFolder);
  const earlier = await readLocalAccess(homeFolder);
  await replace(file, access);
  return {
    async [Symbol.asyncDispose]() {
      if ((await readLocalAccess(homeFolder))?.holder !== access.holder) return;
      if (earlier !== null && isHeld(homeFolder, earlier.holder)) await replace(file, earlier);
      else await rm(file);
    },
  };
}

/** Never readable by others, not even while it is written, and never half there. */
async function replace(file: string, access: LocalAccess): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
