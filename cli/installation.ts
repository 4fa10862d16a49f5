import path from 'node:path';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { homedir } from 'node:os';

/** The folder of package.json. */
export const packageRoot = path.resolve(import.meta.dirname, '..');

/** The version in package.json. */
export function readVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The folder of all that HTTP-AE keeps on this machine, as the launcher finds it too: `HTTP_AE_HOME`, else under `XDG_DATA_HOME`. */
export function findHome(environment: NodeJS.ProcessEnv): string {
  if (environment.HTTP_AE_HOME) return path.resolve(environment.HTTP_AE_HOME);
  return path.join(environment.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'http-ae');
}

/** The words that start HTTP-AE as this process was started. */
export const launcher: readonly string[] = [
  process.execPath,
  ...process.execArgv,
  path.join(packageRoot, 'cli', 'main.ts'),
];
