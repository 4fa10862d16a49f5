import { installPackages } from '../install-packages.ts';
import type { BrowserKind } from './browser-kinds.ts';

/** Debian's browser, when this is root on such a machine. Returns its path; rejects otherwise. */
export async function installByApt(
  { debianPackage }: BrowserKind,
  progress: { say: (line: string) => void; signal: AbortSignal },
): Promise<string> {
  await installPackages([debianPackage], progress);
  return `/usr/bin/${debianPackage}`;
}
