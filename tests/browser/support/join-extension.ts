import { issueToken } from '#controller/people/tokens.ts';
import type { Controller } from '#controller/start-controller.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { ExtensionBrowser } from '#agent/engines/extension/extension-browser-options.ts';
import { launchExtensionBrowser } from '#agent/engines/extension/extension-session.ts';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { findChrome } from './find-chrome.ts';
import { findFirefox } from './find-firefox.ts';

export interface JoinedExtension extends AsyncDisposable {
  current: ExtensionBrowser;
  /** Kills the browser, and starts it again with the same profile. */
  restart(): Promise<void>;
}

/** A real headless browser with the extension in it, as an Agent of this name. */
export async function joinExtension(
  controller: Controller,
  { target, name }: { target: ExtensionTarget; name: string },
): Promise<JoinedExtension> {
  const folder = await makeTemporaryFolder();
  const { token } = await issueToken(controller.pool, { name, scope: 'agent' });
  const start = () =>
    launchExtensionBrowser({
      target,
      executablePath: target === 'chrome' ? findChrome() : findFirefox(),
      enrolment: { controllerUrl: controller.url, token, name },
      folder: folder.path,
      browser: BrowserSettingsSchema.parse({}),
    });
  const joined: JoinedExtension = {
    current: await start(),
    restart: async () => {
      await joined.current[Symbol.asyncDispose]();
      joined.current = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await joined.current[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
  return joined;
}
