import { findMissingTools, packagesOf, pathWithTools, requireTools } from '#testbed/namespaces/require-tools.ts';
import { runProgram } from '../run-program.ts';

/** Finds the tools that the testbed runs; installs those that are missing when this is root on a Debian. Throws `testbed-refused`. */
export async function prepareTools({ say, signal }: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  process.env.PATH = pathWithTools(process.env);
  const missing = findMissingTools(process.env.PATH);
  if (missing.length > 0 && process.getuid?.() === 0) await installPackages(packagesOf(missing), { say, signal });
  requireTools(process.env.PATH);
}

/** Debian's packages, by root. A failure is told, and what was missing is missing still. */
export async function installPackages(packages: string[], { say, signal }: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  say(`Installing ${packages.join(', ')} with apt-get`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    for (const args of [['update', '-qq'], ['install', '-y', '-qq', '--no-install-recommends', ...packages]]) {
      const { exitCode, output } = await runProgram('apt-get', args, { signal, environment });
      if (exitCode !== 0) throw new Error(`apt-get ${args[0]!} failed: ${output.trim().slice(-500)}`);
    }
  } catch (error) {
    signal.throwIfAborted();
    say(`They could not be installed: ${(error as Error).message}`); // what is missing is told with the package to install
  }
}
