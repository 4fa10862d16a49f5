import path from 'node:path';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { homedir } from 'node:os';

/** The folder of package.json. */
export const packageRoot = path.resolve(import.meta.dirname, '..');

/** The version in package.json. */
export function readVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The folder of all that HTTP-AE keeps on this machine, as the launcher finds and makes it too: `HTTP_AE_HOME`, else under `XDG_DATA_HOME`. Throws the system's error where it cannot be made. */
export function findHome(environment: NodeJS.ProcessEnv): string {
  const folder = environment.HTTP_AE_HOME
    ? path.resolve(environment.HTTP_AE_HOME)
    : path.join(environment.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'http-ae');
  makeFolder(folder);
  return folder;
}

/** Makes a folder, and those above it, unless they are there. One by one: a recursive `mkdir` of Node.js does not end below /proc, where what cannot be made is ENOENT. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(path.resolve(folder)));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another made it just now
  }
}

/** The words that start HTTP-AE as this process was started. */
export const launcher: readonly string[] = [
  process.execPath,
  ...process.execArgv,
  path.join(packageRoot, 'cli', 'main.ts'),
];
