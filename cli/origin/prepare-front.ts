import { spawnSync } from 'node:child_process';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { frontTools } from '#testbed/origin/front/run-caddy.ts';
import { tryInstallPackages } from '../install-packages.ts';

/** Installs the program that HTTP/3 needs, if it is missing and this is root on a Debian. Elsewhere nothing: the origin reports what is missing. */
export async function prepareFront(progress: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  if (findMissingTools(pathWithTools(process.env), frontTools).length === 0) return;
  await tryInstallPackages(Object.values(frontTools), progress);
  // Its package starts a web server on ports 80 and 443, which nobody asked for.
  spawnSync('systemctl', ['disable', '--now', 'caddy.service'], { stdio: 'ignore' });
}
