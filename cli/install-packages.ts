import { runProgram } from './run-program.ts';

interface Progress {
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Installs Debian's packages, as root. Rejects with what apt-get said when it fails. A new machine may run its own upgrade
 * when this starts: the installation waits for it. The update cannot wait, and may fail for a repository that is not needed:
 * the installation decides.
 */
export async function installPackages(packages: string[], { say, signal }: Progress): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('only root can install packages');
  say(`Installing ${packages.join(', ')} with apt-get; this may take some minutes`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await runProgram('apt-get', ['update', '-qq'], { signal, environment });
  const args = ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600', ...packages];
  const { exitCode, output } = await runProgram('apt-get', args, { signal, environment });
  if (exitCode !== 0) throw new Error(`apt-get failed: ${`${update.output}\n${output}`.trim().slice(-500)}`);
}

/** The same as root on a Debian; elsewhere nothing. It prints a failure and returns: the caller finds what is still missing. */
export async function tryInstallPackages(packages: string[], progress: Progress): Promise<void> {
  if (process.getuid?.() !== 0) return;
  try {
    await installPackages(packages, progress);
  } catch (error) {
    progress.signal.throwIfAborted();
    progress.say(`Cannot install them: ${(error as Error).message}`);
  }
}
