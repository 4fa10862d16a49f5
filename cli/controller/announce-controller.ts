import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { localAccessFile, type ControllerAccess } from './controller-access.ts';

/**
 * Lets `evaluate` and `export` of this user find the Controller without flags, until disposed of. Of several Controllers the
 * one started last is found; when it stops, what it replaced stands again.
 */
export async function announceController(homeFolder: string, access: ControllerAccess): Promise<AsyncDisposable> {
  const file = localAccessFile(homeFolder);
  const own = `${JSON.stringify(access)}\n`;
  const earlier = await readIfAny(file);
  await replace(file, own);
  return {
    async [Symbol.asyncDispose]() {
      if ((await readIfAny(file)) !== own) return;
      if (earlier === null) await rm(file);
      else await replace(file, earlier);
    },
  };
}

async function readIfAny(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Never readable by others, not even while it is written, and never half there. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}
