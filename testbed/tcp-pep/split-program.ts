import { spawn } from 'node:child_process';
import { AppError } from '#core/app-error.ts';
import type { Enter } from '../namespaces/run-tool.ts';

/** Where the program of a node gets the connections that are handed to it. */
export const splitPort = 5080;

const keptErrorCharacters = 2_000;

/** What a program did since it started. */
export interface SplitCounters {
  connections: number;
  /** Payload. */
  fromUsersBytes: number;
  toUsersBytes: number;
}

/** A program in a node, which splits connections. */
export interface SplitProgram extends AsyncDisposable {
  /** Throws `testbed-failed`, with its last words where it has ended. */
  readCounters(): Promise<SplitCounters>;
}

/** A process that runs in a node until this is disposed of, or until this process ends, however that ends. */
export interface NodeProcess extends AsyncDisposable {
  /** The result of `work`. Throws `testbed-failed` with the last words of the process if it ends before. */
  during<Result>(work: Promise<Result>): Promise<Result>;
}

export function startInNode(
  enter: Enter,
  [name, ...options]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv = {},
): NodeProcess {
  // It gives up no privilege: that would undo its end with this process.
  const words = [...enter, 'setpriv', '--pdeathsig', 'KILL', name, ...options] as [string, ...string[]];
  const child = spawn(words[0], words.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-keptErrorCharacters)));
  let end: string | null = null;
  const closed = new Promise<void>((resolve) => {
    child.on('error', (error) => (end = error.message));
    child.on('close', (exitCode, signalName) => {
      end ??= signalName ?? `exit status ${exitCode}`;
      resolve();
    });
  });
  return {
    during: (work) => {
      const ended = closed.then(() => {
        throw new AppError('testbed-failed', `${name} ended (${end})${errors && `: ${errors.trim()}`}`);
      });
      return Promise.race([work, ended]);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL'); // it holds nothing that outlives it
      await closed;
    },
  };
}
