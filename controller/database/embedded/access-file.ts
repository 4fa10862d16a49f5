import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { applicationRole } from './separate-roles.ts';

const AccessSchema = z.object({ port: z.number().int().positive().nullable(), password: z.string().min(1) });

/** How the embedded server is reached; the port is null until it was started for the first time. */
export type Access = z.infer<typeof AccessSchema>;

/**
 * Reads the access file of an installation, and makes it, with a random password, where there is none. Of several
 * processes that make it at once one wins, and all have the same password.
 */
export async function ensureAccess(folder: string): Promise<Access> {
  const file = accessFile(folder);
  try {
    return AccessSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = await writeBeside(file, { port: null, password: randomBytes(24).toString('base64url') });
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own);
  }
  return ensureAccess(folder);
}

export async function storeAccess(folder: string, access: Access): Promise<void> {
  const file = accessFile(folder);
  await rename(await writeBeside(file, access), file);
}

export function databaseUrlOf({ port, password }: { port: number; password: string }): string {
  return `postgres://${applicationRole}:${password}@127.0.0.1:${port}/postgres`;
}

function accessFile(folder: string): string {
  return path.join(folder, 'access.json');
}

async function writeBeside(file: string, access: Access): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, JSON.stringify(access), { mode: 0o600, flag: 'wx' });
  return temporary;
}
