import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { packageRoot } from '../installation.ts';

const program = path.join(packageRoot, 'tests', 'support', 'serve-test-database.ts');

/** Starts one PostgreSQL for several kinds of tests, in a process that stops it when disposed of, or when this one is gone. */
export async function serveTestDatabase(signal: AbortSignal): Promise<{ url: string } & AsyncDisposable> {
  signal.throwIfAborted();
  const child = fork(program, { cwd: packageRoot, stdio: ['ignore', 2, 2, 'ipc'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const first = await Promise.race([
    once(child, 'message').then(([url]: unknown[]) => ({ url })),
    ended.then(([exitCode]) => ({ exitCode })),
  ]);
  if (!('url' in first))
    throw new AppError(
      'internal',
      `PostgreSQL for the tests did not start (exit status ${first.exitCode ?? 'none'}): see above`,
    );
  return {
    url: String(first.url),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
