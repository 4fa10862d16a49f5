import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import type { OriginOptions } from '#testbed/origin/origin-options.ts';
import { packageRoot } from '../package-root.ts';

const AddressesSchema = z.object({
  httpUrl: z.string(),
  http2Url: z.string(),
  urls: z.record(z.string(), z.string()),
  /** The same by IPv6; null where the testbed has none. */
  ipv6Urls: z.record(z.string(), z.string()).nullable(),
  trustedKey: z.string(),
});

export interface OriginInGround extends z.infer<typeof AddressesSchema>, AsyncDisposable {
  /** Aborts, with an AppError, when it ended by itself. */
  failed: AbortSignal;
}

/** The origin as a process in `ground`, at its addresses on the emulated link. It ends with the namespace at the latest. */
export async function startOriginInGround(
  network: TestbedNetwork,
  options: Omit<OriginOptions, 'host' | 'ipv6Host'> = {},
): Promise<OriginInGround> {
  const [program, ...prefix] = network.enter('ground');
  const main = path.join(packageRoot, 'testbed', 'origin', 'main.ts');
  const child = spawn(
    program,
    [
      ...prefix,
      process.execPath,
      ...process.execArgv,
      main,
      JSON.stringify({ ...options, host: network.ground.address, ipv6Host: network.ground.ipv6Address ?? undefined }),
    ],
    // Ctrl-C reaches the whole group of a terminal: this process decides when it ends.
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true },
  );
  const failing = new AbortController();
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = once(createInterface(child.stdout!), 'line') as Promise<[string]>;
  const explain = (status: number | null, when: string) =>
    new AppError('testbed-failed', `The origin in ground ended with status ${String(status)} ${when}`);
  const [first] = await Promise.race([
    line,
    exited.then(([status]) => Promise.reject(explain(status, 'before it served'))),
  ]);
  void exited.then(([status]) => failing.abort(explain(status, 'while it served')));
  return {
    ...AddressesSchema.parse(JSON.parse(first)),
    failed: failing.signal,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
