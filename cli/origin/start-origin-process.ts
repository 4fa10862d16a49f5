import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { OriginOptions } from '#testbed/origin/origin-options.ts';
import { packageRoot } from '../installation.ts';

const AddressesSchema = z.object({
  httpUrl: z.string(),
  http2Url: z.string(),
  urls: z.record(z.string(), z.string()),
  /** The same by IPv6; null where the testbed has none. */
  ipv6Urls: z.record(z.string(), z.string()).nullable(),
  trustedKey: z.string(),
});

export interface OriginProcess extends z.infer<typeof AddressesSchema>, AsyncDisposable {
  /** Aborts, with an AppError, when it ended by itself. */
  failed: AbortSignal;
}

/** The origin as a process, which ends with this one at the latest. `prefix` are the words before it, such as those that enter a namespace. Throws an AppError when it does not serve. */
export async function startOriginProcess(
  options: OriginOptions = {},
  { prefix = [] }: { prefix?: readonly string[] } = {},
): Promise<OriginProcess> {
  const main = path.join(packageRoot, 'testbed', 'origin', 'main.ts');
  const [program, ...args] = [...prefix, process.execPath, ...process.execArgv, main, JSON.stringify(options)];
  const child = spawn(
    program,
    args,
    // Ctrl-C reaches the whole group of a terminal: this process decides when it ends.
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true },
  );
  const failing = new AbortController();
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = once(createInterface(child.stdout!), 'line') as Promise<[string]>;
  const explain = (status: number | null, when: string) =>
    new AppError('testbed-failed', `The origin ended with status ${String(status)} ${when}`);
  const [first] = await Promise.race([
    line,
    exited.then(([status]) => Promise.reject(explain(status, 'before it served'))),
  ]);
  let isEnding = false;
  void exited.then(([status]) => isEnding || failing.abort(explain(status, 'while it served')));
  return {
    ...AddressesSchema.parse(JSON.parse(first)),
    failed: failing.signal,
    [Symbol.asyncDispose]: async () => {
      isEnding = true;
      child.kill('SIGTERM');
      await exited;
    },
  };
}
