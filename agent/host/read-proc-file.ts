import { readFileSync } from 'node:fs';

/** What a file of `/proc` holds; null where this kernel or container does not show it. Pressure that is switched off refuses to be read. */
export function readProcFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
