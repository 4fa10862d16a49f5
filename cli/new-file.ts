import { access, constants, open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
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
    const found = await statOrNull(file);
    if (found?.isDirectory()) throw new Error('it is a folder');
    await access(found ? file : path.dirname(path.resolve(file)), constants.W_OK);
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Writes a file whole or not at all: until its end it has another name, and one that was there stays. What is no regular file, such as a pipe, is written as it comes. Rejects with the
 * error of the system.
 */
export async function writeWhole(
  file: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  const found = await statOrNull(file);
  const write = async (to: string) => {
    // Opened before anything can fail: a stream that is given up while it opens its file makes it all the same.
    await using handle = await open(to, 'w', found?.mode);
    await pipeline(pieces, handle.createWriteStream(), { ...(signal && { signal }) });
  };
  if (found !== null && !found.isFile()) return write(file);
  const target = found === null ? file : await realpath(file);
  const part = `${target}.part`;
  try {
    await write(part);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function statOrNull(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
