import { runProgram } from '../run-program.ts';
import type { BrowserKind } from './browser-kinds.ts';

/** Debian's browser, when this is root on such a machine. Returns its path; rejects otherwise. */
export async function installByApt({ debianPackage }: BrowserKind, { say, signal }: { say: (line: string) => void; signal: AbortSignal }): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('only root may install packages');
  say(`Installing ${debianPackage} with apt-get; this may take some minutes`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update', '-qq'], ['install', '-y', '-qq', '--no-install-recommends', debianPackage]]) {
    const { exitCode, output } = await runProgram('apt-get', args, { signal, environment });
    if (exitCode !== 0) throw new Error(`apt-get ${args[0]!} failed: ${output.trim().slice(-500)}`);
  }
  return `/usr/bin/${debianPackage}`;
}
