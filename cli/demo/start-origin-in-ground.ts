import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import type { OriginOptions } from '#testbed/origin/origin-options.ts';
import { packageRoot } from '../package-root.ts';

const AddressesSchema = z.object({ httpUrl: z.string(), http2Url: z.string(), trustedKey: z.string() });

/** The origin as a process in `ground`, at its address on the emulated link. It ends with the namespace at the latest. */
export async function startOriginInGround(
  network: TestbedNetwork,
  options: Omit<OriginOptions, 'host'> = {},
): Promise<z.infer<typeof AddressesSchema> & AsyncDisposable> {
  const [program, ...prefix] = network.enter('ground');
  const main = path.join(packageRoot, 'testbed', 'origin', 'main.ts');
  const child = spawn(
    program,
    [
      ...prefix,
      process.execPath,
      ...process.execArgv,
      main,
      JSON.stringify({ ...options, host: network.ground.address }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const exited = once(child, 'exit');
  const line = once(createInterface(child.stdout!), 'line') as Promise<[string]>;
  const [first] = await Promise.race([
    line,
    exited.then(([status]) =>
      Promise.reject(new AppError('testbed-failed', `The origin ended with status ${String(status)} before it served`)),
    ),
  ]);
  return {
    ...AddressesSchema.parse(JSON.parse(first)),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
