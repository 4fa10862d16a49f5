import path from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { listLaunchFlags } from '#agent/engines/chrome/launch-flags.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { Enrolment } from '#core/protocol/enrolment-link.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { findChrome } from './find-chrome.ts';

export interface ExtensionPages extends AsyncDisposable {
  readonly browser: Browser;
  readonly options: Page;
  readonly popup: Page;
  /** As a person does: fills in the form and presses Enrol. */
  enrol(enrolment: Enrolment): Promise<void>;
}

/** A real headless Chrome with the extension as it is handed out, and its pages in tabs. */
export async function openExtensionPages(): Promise<ExtensionPages> {
  await using stack = new AsyncDisposableStack();
  const profile = stack.use(await makeTemporaryFolder());
  const browser = await launch({
    executablePath: findChrome(),
    userDataDir: profile.path,
    args: listLaunchFlags(BrowserSettingsSchema.parse({}), { isRoot: process.getuid?.() === 0 }),
    waitForInitialPage: false,
    protocolTimeout: 60_000,
    pipe: true,
    enableExtensions: true,
  });
  stack.defer(() => browser.close());
  const id = await browser.installExtension(path.join(import.meta.dirname, '../../../extension/dist/chrome'));
  const open = async (address: string) => {
    const page = await browser.newPage();
    await page.goto(`chrome-extension://${id}/${address}`);
    return page;
  };
  const options = await open('options/options.html');
  const popup = await open('popup/popup.html');
  const owned = stack.move();
  return {
    browser,
    options,
    popup,
    enrol: async ({ controllerUrl, token, name }) => {
      for (const [field, text] of Object.entries({ '#controller-url': controllerUrl, '#token': token, '#name': name }))
        await options.$eval(field, (input, value) => ((input as HTMLInputElement).value = value), text);
      await options.$eval('#enrolment button', (button) => button.click());
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
