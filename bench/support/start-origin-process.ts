import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { OriginOptions } from '#testbed/origin/origin-options.ts';

const AddressesSchema = z.object({
  httpUrl: z.string(),
  http2Url: z.string(),
  urls: z.record(z.string(), z.string()),
  trustedKey: z.string(),
});

const TruthSchema = z.object({
  truth: z.object({
    firstRequestEpochMs: z.number(),
    baseMs: z.number(),
    viewportMs: z.number(),
    totalMs: z.number(),
    viewportObjects: z.array(z.string()),
    totalObjects: z.array(z.string()),
  }),
});

export type OriginProcess = z.infer<typeof AddressesSchema> & {
  /** What the origin saw of one Visit that has ended. */
  readTruth(visitId: string): Promise<z.infer<typeof TruthSchema>['truth']>;
} & AsyncDisposable;

/** The origin in a process of its own, so that what the engine does does not slow it down. `options`: of `startOrigin`. */
export async function startOriginProcess(options: OriginOptions = {}): Promise<OriginProcess> {
  const main = path.join(import.meta.dirname, '../../testbed/origin/main.ts');
  const child = spawn(process.execPath, [main, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const addresses = AddressesSchema.parse(JSON.parse(line));
  return {
    ...addresses,
    readTruth: async (visitId) => {
      const response = await fetch(`${addresses.httpUrl}/__truth?visit=${visitId}`);
      return TruthSchema.parse(await response.json()).truth;
    },
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
