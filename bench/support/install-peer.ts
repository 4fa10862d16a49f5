import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findHome } from '#cli/installation.ts';

/** Installs a package from npm once, beside what the launcher keeps, without the downloads of its own. Gives its folder. */
export async function installPeer({ name, version }: { name: string; version: string }): Promise<string> {
  const folder = path.join(findHome(process.env), 'bench', `${name}-${version}`);
  const installed = path.join(folder, 'node_modules', name);
  if (!existsSync(installed)) {
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: { [name]: version } }),
    );
    const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error(`npm could not install ${name} (see above)`);
  }
  return installed;
}
