import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';

/** Throws `invalid-input`, naming the option. */
export async function readInputFile(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AppError(
      'invalid-input',
      `${file} cannot be read (${(error as Error).message}): name a file with ${option}`,
      {
        cause: error,
      },
    );
  }
}
