import { readdirSync, readFileSync } from 'node:fs';

/** What a file of `/proc` holds; null where this kernel or container does not show it, and where its process has ended. Pressure that is switched off refuses to be read. */
export function readProcFile(file: string): string | null {
  return unlessHidden(() => readFileSync(file, 'utf8'));
}

/** The names in a folder of `/proc`; none where it is not shown, or its process has ended. */
export function listProcFolder(folder: string): string[] {
  return unlessHidden(() => readdirSync(folder)) ?? [];
}

function unlessHidden<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
}
