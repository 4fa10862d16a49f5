import { execFile } from 'node:child_process';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#core/app-error.ts';

const runFile = promisify(execFile);

/** An npm package as `npm pack` takes it, or a Debian package with its version and those that it links to. */
export type PackageSource = { npm: string } | { debian: string; needs: readonly string[] };

interface Place {
  folder: string;
  signal: AbortSignal;
}

/**
 * A folder for each package, or for a Debian package with what it needs, as it would be installed. What is there already is not fetched again. Throws `recording-failed` where it cannot be
 * downloaded.
 */
export async function fetchPackage(source: PackageSource, { folder, signal }: Place): Promise<string> {
  const name = nameOf(source);
  const place = path.join(folder, name.replaceAll(/[^\w.@+~-]/g, '-'));
  if (await isThere(place)) return place;
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const into = { folder: unfinished, signal };
  if ('npm' in source) await unpackNpm(name, into);
  else for (const each of [source.debian, ...source.needs]) await unpackDebian(each, into);
  await rename(unfinished, place);
  return place;
}

/** With its version. */
export function nameOf(source: PackageSource): string {
  return 'npm' in source ? source.npm : source.debian;
}

async function unpackNpm(name: string, { folder, signal }: Place): Promise<void> {
  await inOwnFolder(folder, async (cwd) => {
    const advice = 'check that npm is installed, and that this machine reaches its registry';
    await download(name, { command: ['npm', 'pack', '--silent', name], cwd, signal, advice });
    const [archive] = await readdir(cwd);
    // Some archives have remarks of an old npm, one for each file.
    const args = ['--warning=no-unknown-keyword', '-xzf', path.join(cwd, archive!), '-C', folder];
    await runFile('tar', [...args, '--strip-components=1'], { signal });
  });
}

/** Not installed: its files alone, under `folder` as they would be under /. */
async function unpackDebian(name: string, { folder, signal }: Place): Promise<void> {
  await inOwnFolder(folder, async (cwd) => {
    const advice = 'it needs Debian 12, and apt-get update before. Other pages of the corpus are packages of npm';
    const command = ['apt-get', 'download', '-q', '-o', 'APT::Sandbox::User=root', name] as const;
    await download(name, { command, cwd, signal, advice });
    const [archive] = await readdir(cwd);
    await runFile('dpkg-deb', ['-x', path.join(cwd, archive!), folder], { signal });
  });
}

async function download(
  name: string,
  {
    command: [program, ...args],
    cwd,
    signal,
    advice,
  }: { command: readonly [string, ...string[]]; cwd: string; signal: AbortSignal; advice: string },
): Promise<void> {
  try {
    await runFile(program, args, { cwd, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new AppError('recording-failed', `${name} cannot be downloaded: ${advice}`, { cause });
  }
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
