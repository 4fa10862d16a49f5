import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { ExtensionBrowser, ExtensionBrowserOptions } from './extension-browser-options.ts';
import { launchChromeWithExtension } from './launch-chrome-with-extension.ts';
import { launchFirefoxWithExtension } from './launch-firefox-with-extension.ts';
import { packExtension } from './pack-extension.ts';

/** Throws an AppError when the browser does not start, or does not take the extension. */
export async function launchExtensionBrowser(options: ExtensionBrowserOptions): Promise<ExtensionBrowser> {
  const { target, enrolment, ...launched } = options;
  const extension = path.join(options.folder, 'extension');
  await packExtension(target, { enrolment, folder: extension });
  const packed = { ...launched, extension, line: new URL(enrolment.controllerUrl).host };
  try {
    return await (target === 'chrome' ? launchChromeWithExtension(packed) : launchFirefoxWithExtension(packed));
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new AppError(
      'browser-failed',
      `The browser ${options.executablePath} did not start with the extension: ${(cause as Error).message}`,
      { cause },
    );
  }
}
