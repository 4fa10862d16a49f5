import { open, type FileHandle } from 'node:fs/promises';
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
