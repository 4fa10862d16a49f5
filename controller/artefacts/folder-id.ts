import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** The id of a folder of artefacts, which is kept in it; made when it has none. */
export async function readFolderId(folder: string): Promise<string> {
  await writeBeside(folder, randomUUID(), (own, file) =>
    link(own, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // made before, or by another Controller just now
    }),
  );
  return z.uuid().parse((await readFile(path.join(folder, 'store-id'), 'utf8')).trim());
}

export async function writeFolderId(folder: string, id: string): Promise<void> {
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
