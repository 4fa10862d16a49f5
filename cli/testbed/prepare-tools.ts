import { findMissingTools, packagesOf, pathWithTools, requireTools } from '#testbed/namespaces/require-tools.ts';
import { tryInstallPackages } from '../install-packages.ts';

/** Finds the tools that the testbed runs; installs those that are missing when this is root on a Debian. Throws `testbed-refused`. */
export async function prepareTools(progress: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  process.env.PATH = pathWithTools(process.env);
  const missing = findMissingTools(process.env.PATH);
  if (missing.length > 0) await tryInstallPackages(packagesOf(missing), progress);
  requireTools(process.env.PATH);
}
