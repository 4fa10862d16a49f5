import path from 'node:path';
import type { Logger } from 'pino';
import { asHostOrigin, type HostOrigin } from '#core/protocol/host-origin.ts';
import { startOriginProcess } from '../origin/start-origin-process.ts';

interface TestPages extends AsyncDisposable {
  origin: HostOrigin;
}

/**
 * Serves the test pages to the browsers of this machine, from a process of its own: they take no time from the Controller. Their ports are the two after that of the Controller, and
 * their key stays the same on this machine, so that an Evaluation can be run again. Null, with a warning, where a port is taken: all else works without them.
 */
export async function openTestPages({
  controllerPort,
  homeFolder,
  log,
}: {
  /** 0: the pages take free ports too. */
  controllerPort: number;
  homeFolder: string;
  log: Logger;
}): Promise<TestPages | null> {
  const ports = controllerPort === 0 ? {} : { http: controllerPort + 1, http2: controllerPort + 2 };
  try {
    const process = await startOriginProcess({ ports, authorityFolder: path.join(homeFolder, 'origin') });
    const origin = asHostOrigin(process);
    process.failed.addEventListener('abort', () =>
      log.error({ err: process.failed.reason as unknown }, 'The test pages are gone'),
    );
    return { origin, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
  } catch (err) {
    log.warn({ err }, `No test pages: they need the ports ${Object.values(ports).join(' and ')}`);
    return null;
  }
}
