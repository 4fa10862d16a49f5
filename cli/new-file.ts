import { access, constants, open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';

/** Makes a file that only this user reads. Throws `invalid-input`. */
export async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'w', 0o600);
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/** What takes long, or goes wrong, must not have cost the file before. Throws `invalid-input`. */
export async function refuseExisting(file: string): Promise<void> {
  try {
    await (await open(file, 'r')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new AppError('invalid-input', `${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  throw new AppError('invalid-input', `${file} exists: name a new file`);
}

/** What is to be written after long work must not fail then for a folder that is not there. Changes nothing. Throws `invalid-input`. */
export async function requireWritable(file: string): Promise<void> {
  try {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return null;
    });
    if (found?.isDirectory()) throw new Error('it is a folder');
    await access(found ? file : path.dirname(path.resolve(file)), constants.W_OK);
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}
