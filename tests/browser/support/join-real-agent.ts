import type { Logger } from 'pino';
import pino from 'pino';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { runAgent } from '#agent/run-agent.ts';
import { launcher } from '#cli/installation.ts';
import { issueToken } from '#controller/people/tokens.ts';
import type { Controller } from '#controller/start-controller.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { findChrome } from './find-chrome.ts';
import { findFirefox } from './find-firefox.ts';

/** A real Agent in this process, with a spool of its own; disposing of it stops it and all its browsers. */
export async function joinAgent(
  controller: Controller,
  {
    name = 'laptop',
    allowScripts = false,
    extension = null,
    hasFirefox = false,
    log = pino({ level: 'silent' }),
  }: {
    name?: string;
    allowScripts?: boolean;
    extension?: ExtensionTarget | null;
    hasFirefox?: boolean;
    log?: Logger;
  } = {},
): Promise<AsyncDisposable> {
  const folder = await makeTemporaryFolder();
  const stopping = new AbortController();
  const { token } = await issueToken(controller.pool, { name, scope: 'agent' });
  const over = runAgent({
    controllerUrl: controller.url,
    token,
    name,
    allowScripts,
    chromePath: findChrome(),
    firefox: hasFirefox ? { path: findFirefox(), isRequired: true } : null,
    extension,
    homeFolder: folder.path,
    agentVersion: 'test',
    launcher,
    log,
    signal: stopping.signal,
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await over;
      await folder[Symbol.asyncDispose]();
    },
  };
}
