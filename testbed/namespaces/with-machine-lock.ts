import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';

const retryMs = 20;
const withinMs = 20_000;

/**
 * Does it while no other process of the machine does what has the same name. The lock is an abstract socket (unix(7)), which leaves no file and ends with its process.
 * Throws `testbed-failed` when another holds it for 20 s.
 */
export async function withMachineLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await takeLock(name);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function takeLock(name: string): Promise<Server> {
  const startMs = performance.now();
  for (;;) {
    const server = createServer().listen(`\0http-ae/${name}`);
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (performance.now() - startMs > withinMs)
        throw new AppError(
          'testbed-failed',
          `Another testbed of this machine holds "${name}" for more than ${withinMs / 1000} s. Find its process with "ss -xlp", and end it`,
        );
      await pause(retryMs);
    }
  }
}
