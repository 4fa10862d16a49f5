import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { userOf, type Account } from './choose-account.ts';

interface Work {
  program: 'initdb' | 'postgres';
  dataFolder: string;
  args: string[];
  /** A text, or an open file. */
  input: string | FileHandle;
  signal: AbortSignal;
}

/**
 * The name of the data folder for PostgreSQL, which has the open folder as file descriptor 3. An account of its own may not enter the folders
 * above it, and need not: through the descriptor it reaches what belongs to it.
 */
export function nameDataFolder({ owner }: Account, dataFolder: string): string {
  return owner === null ? dataFolder : '/proc/self/fd/3';
}

/** How long the processes of a program may take to end in order. */
const endWithinMs = 5000;

/** Runs a program of PostgreSQL on a data folder to its end. Throws with what it printed when it fails. When aborted, it and all that it started have ended. */
export async function runAsAccount(
  account: Account,
  { program, dataFolder, args, input, signal }: Work,
): Promise<void> {
  const [command, ...rest] = [...account.prefix, path.join(account.binaries, program), ...args];
  await using folder = await open(dataFolder);
  const child = spawn(command!, rest, {
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
    stdio: [typeof input === 'string' ? 'pipe' : input.fd, 'pipe', 'pipe', folder.fd],
    // A group of its own, as initdb starts other programs, which outlive it.
    detached: true,
    ...userOf(account),
  });
  const end = () => endGroup(child);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  // A program that ended before it read everything says why in its output.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const [[exitCode], ...printed] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stderr!),
    text(child.stdout!),
  ]).finally(() => signal.removeEventListener('abort', end));
  signal.throwIfAborted();
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode ?? 'a signal'}: ${printed.join('\n').trim()}`);
}

function endGroup(child: ChildProcess): void {
  const kill = (signalName: 'SIGTERM' | 'SIGKILL') => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signalName);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  kill('SIGTERM');
  const force = setTimeout(() => kill('SIGKILL'), endWithinMs);
  child.once('close', () => clearTimeout(force));
}
