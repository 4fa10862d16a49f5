import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { AppError } from '#core/app-error.ts';
import type { OwnVariant } from './own-variants.ts';

/**
 * Registers a variant with the kernel, for the whole machine. Disposing takes it away again, and so does the end of this process, however it
 * ends. Throws `testbed-failed` when the kernel does not take it, also because another process has registered one of that name.
 */
export async function registerVariant(variant: OwnVariant): Promise<AsyncDisposable> {
  // It ends with its standard input.
  const child = spawn('sh', [path.join(import.meta.dirname, 'register.sh'), variant], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // it has ended, which is seen below
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), closed])) as [unknown];
  if (line !== 'registered')
    throw new AppError(
      'testbed-failed',
      `The TCP variant "${variant}" cannot be loaded as BPF: ${findReason(await errors)}`,
    );
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** What the compiler complained of first, or else what came last: the kernel says at length what it looked at before. */
function findReason(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => / error: /.test(line)) ?? lines.at(-1)!;
}
