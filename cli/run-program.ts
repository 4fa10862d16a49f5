import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ProgramResult {
  /** Null when a signal ended it. */
  exitCode: number | null;
  /** Standard output and standard error. */
  output: string;
}

/** Runs a program to its end without input. Rejects when it cannot be started or the signal aborts. */
export async function runProgram(
  file: string,
  args: string[],
  options: { signal: AbortSignal; environment?: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.environment ?? process.env,
    signal: options.signal,
  });
  const [[exitCode], output, errors] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode, output: output + errors };
}
