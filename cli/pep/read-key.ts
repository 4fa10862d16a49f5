import { stat } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { readInputFile } from './read-input-file.ts';

const minLength = 32;
const advice = 'Make one with: head -c 32 /dev/urandom | base64 > key && chmod 600 key';

/** The key of a file, without spaces around it. Throws `invalid-input` for a short one, and one that all users can read. */
export async function readKey(file: string): Promise<Buffer> {
  const text = (await readInputFile(file, '--key')).trim();
  if (text.length < minLength) {
    throw new AppError('invalid-input', `The key in ${file} has fewer than ${minLength} characters. ${advice}`);
  }
  const { mode } = await stat(file);
  if ((mode & 0o007) !== 0) {
    throw new AppError(
      'invalid-input',
      `All users of this machine can read the key in ${file}. Run: chmod 600 ${file}`,
    );
  }
  return Buffer.from(text);
}
