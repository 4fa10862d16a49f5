import { execFile } from 'node:child_process';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An npm package as `npm pack` takes it, or a Debian package with its version and those that it links to. */
export type PackageSource = { npm: string } | { debian: string; needs: readonly string[] };

/** A folder for each package, or for a Debian package with what it needs, as it would be installed. What is there already is not fetched again. */
export async function fetchPackage(source: PackageSource, folder: string): Promise<string> {
  const name = nameOf(source);
  const place = path.join(folder, name.replaceAll(/[^\w.@+~-]/g, '-'));
  if (await isThere(place)) return place;
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  if ('npm' in source) await unpackNpm(name, unfinished);
  else for (const each of [source.debian, ...source.needs]) await unpackDebian(each, unfinished);
  await rename(unfinished, place);
  return place;
}

/** With its version. */
export function nameOf(source: PackageSource): string {
  return 'npm' in source ? source.npm : source.debian;
}

async function unpackNpm(name: string, place: string): Promise<void> {
  await inOwnFolder(place, async (cwd) => {
    await run('npm', ['pack', '--silent', name], { cwd });
    const [archive] = await readdir(cwd);
    // Some archives have remarks of an old npm, one for each file.
    const args = ['--warning=no-unknown-keyword', '-xzf', path.join(cwd, archive!), '-C', place];
    await run('tar', [...args, '--strip-components=1']);
  });
}

/** Not installed: its files alone, under `place` as they would be under /. */
async function unpackDebian(name: string, place: string): Promise<void> {
  await inOwnFolder(place, async (cwd) => {
    try {
      await run('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', name], { cwd });
    } catch (cause) {
      const advice =
        'run apt-get update on Debian 12, or name the version of today in bench/support/package-documents.ts';
      throw new Error(`${name} cannot be downloaded: ${advice}`, { cause });
    }
    const [archive] = await readdir(cwd);
    await run('dpkg-deb', ['-x', path.join(cwd, archive!), place]);
  });
}

/** For an archive, beside the files that come out of it. */
async function inOwnFolder(place: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = `${place}.archive`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await work(folder);
  await rm(folder, { recursive: true, force: true });
}

async function isThere(place: string): Promise<boolean> {
  try {
    await access(place);
    return true;
  } catch {
    return false;
  }
}
