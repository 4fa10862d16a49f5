import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';

/** The token of an Agent, from the option that has it or its file. Throws `invalid-input`. */
export async function readToken({ token, tokenFile }: { token?: string; tokenFile?: string }): Promise<string> {
  if (tokenFile === undefined) {
    if (token !== undefined) return token;
    throw new AppError('invalid-input', 'An Agent needs a token: give it by --token, --token-file or HTTP_AE_TOKEN');
  }
  try {
    return (await readFile(tokenFile, 'utf8')).trim();
  } catch (cause) {
    throw new AppError('invalid-input', `--token-file ${tokenFile} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}
