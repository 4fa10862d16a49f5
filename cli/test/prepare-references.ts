import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { installPackages } from '../testbed/prepare-tools.ts';

/** The programs that packet statistics and captures are held against, and what boots a kernel with netem; and Debian's package of each. */
const references = { capinfos: 'tshark', tshark: 'tshark', tcpdump: 'tcpdump', 'linux.uml': 'user-mode-linux', modprobe: 'kmod', cc: 'gcc' } as const;

/** Brings them, when this is root on a Debian. Returns what is missing all the same, if so. */
export async function prepareReferences(options: { say: (line: string) => void; signal: AbortSignal }): Promise<string | null> {
  const searchPath = pathWithTools(process.env);
  const packages = [...new Set(Object.values(references))];
  if (findMissingTools(searchPath, references).length > 0 && process.getuid?.() === 0) await installPackages(packages, options);
  const missing = findMissingTools(searchPath, references);
  return missing.length === 0 ? null : `${missing.join(', ')} cannot be found: install ${packages.join(' ')}`;
}
