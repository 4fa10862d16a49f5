import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** The id of a folder of artefacts, which is kept in it; made when it has none. By it the database knows which folder holds a file. */
export async function readStoreId(folder: string): Promise<string> {
  const file = path.join(folder, 'store-id');
  const own = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(own, `${randomUUID()}\n`, { mode: 0o600, flush: true });
    await link(own, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // made before, or by another Controller just now
    });
  } finally {
    await rm(own, { force: true });
  }
  return z.uuid().parse((await readFile(file, 'utf8')).trim());
}
