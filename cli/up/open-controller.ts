import { hostname } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { issueToken } from '#controller/access/issue-token.ts';
import { revokeToken } from '#controller/db/tokens.ts';
import { startController, type Controller } from '#controller/start-controller.ts';
import { announceController } from '../controller/announce-controller.ts';
import { packageRoot } from '../package-root.ts';

export interface OpenController extends AsyncDisposable {
  controller: Controller;
  /** An api token, valid until disposed of. */
  token: string;
}

/** Starts a Controller with its web UI, and lets the commands of this user on this machine in. */
export async function openController(options: {
  databaseUrl: string;
  host: string;
  port: number;
  publicUrl?: string | undefined;
  homeFolder: string;
  maximumTraceBytes: number | undefined;
  log: Logger;
  signal: AbortSignal;
}): Promise<OpenController> {
  const { homeFolder, ...rest } = options;
  await using started = new AsyncDisposableStack();
  const controller = started.use(await startController({ ...rest, artefactsFolder: path.join(homeFolder, 'artefacts'), webUiFolder: path.join(packageRoot, 'web-ui', 'dist') }));
  const { id, token } = await issueToken(controller.pool, { name: `Commands on ${hostname()}`, scope: 'api' });
  started.defer(async () => {
    await revokeToken(controller.pool, id);
  });
  started.use(await announceController(homeFolder, { url: controller.localUrl, token }));

  const stack = started.move();
  return { controller, token, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
