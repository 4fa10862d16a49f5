import { AppError } from '#core/app-error.ts';
import { hashPassword } from '#pep/remote/clients.ts';
import { readInputFile } from './read-input-file.ts';

/** Passwords by name, hashed. Empty lines and those that begin with `#` are left out. Throws `invalid-input` that names the line. */
export async function readCredentials(file: string): Promise<Map<string, Buffer>> {
  const passwords = new Map<string, Buffer>();
  for (const [index, line] of (await readInputFile(file, '--credentials')).split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (colon < 1 || colon === line.length - 1 || passwords.has(name)) {
      throw new AppError('invalid-input', `${file}, line ${index + 1}: write name:password, each name once`);
    }
    passwords.set(name, hashPassword(line.slice(colon + 1)));
  }
  return passwords;
}
