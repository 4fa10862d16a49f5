import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What every user may read, for accounts that cannot reach our own folders. */
export const openFolder = '/var/lib/http-ae';

/** Copies the installation once to where every user may read it; the last step is a rename, so that a copy is whole or not there. */
export async function copyBinaries(binaries: string): Promise<string> {
  const installation = path.dirname(binaries);
  const { stdout: version } = await execute(path.join(binaries, 'postgres'), ['--version']);
  const copy = path.join(openFolder, `postgresql-${shortHash(`${installation}\n${version}`)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(openFolder, { recursive: true, mode: 0o755 });
    await cp(installation, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // another process made it in between
    });
  }
  return path.join(copy, path.basename(binaries));
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
