import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export interface CliResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const main = path.resolve(import.meta.dirname, '../../cli/main.ts');

/** Runs `http-ae ARGS` as the launcher does, with only these environment variables besides PATH. */
export async function runCli(args: string[], environment: Record<string, string> = {}): Promise<CliResult> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[exitCode], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode, stdout, stderr };
}
