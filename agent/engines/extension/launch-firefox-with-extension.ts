import { z } from 'zod';
import { readHttp3Mode } from '../browser/hold-to-protocols.ts';
import { BidiConnection } from '../firefox/bidi-connection.ts';
import { systemAccessFlag, wakeAltSvc, trustKeys } from '../firefox/browser-world.ts';
import { listPrefs, writePrefs } from '../firefox/list-prefs.ts';
import { startProcess } from '../firefox/start-process.ts';
import { keepLineDirectInFirefox, type ExtensionBrowser, type PackedExtension } from './extension-browser-options.ts';

/** What an add-on that is installed for a try keeps would be removed with it, or be that of another, when the browser was killed. */
const keptPrefs = {
  'extensions.webextensions.keepStorageOnUninstall': true,
  'extensions.webextensions.keepUuidOnUninstall': true,
  'extensions.webextensions.uuids': JSON.stringify({ 'http-ae@extension': 'c3a4c1a2-5f0e-4a53-9d0c-6a4c6d1f0b77' }),
};

const answerWithinMs = 60_000;
const SessionSchema = z.object({ capabilities: z.object({ browserVersion: z.string() }) });

/** Headless Firefox with the extension in it. */
export async function launchFirefoxWithExtension(options: PackedExtension): Promise<ExtensionBrowser> {
  const { executablePath, extension, folder, line, browser, urls, osUser, signal } = options;
  const { trustedKeys } = browser;
  const hasTrustedKeys = trustedKeys.length > 0;
  await using starting = new AsyncDisposableStack();
  const process = await startProcess({
    executablePath,
    args: [systemAccessFlag],
    userPrefs: writePrefs({ ...keepLineDirectInFirefox(listPrefs(browser, urls), line), ...keptPrefs }),
    folder,
    osUser,
    signal,
  });
  starting.defer(() => process.end());
  const connection = await BidiConnection.open({
    url: `${process.bidiUrl}/session`,
    answerWithinMs,
    ...(signal && { signal }),
  });
  starting.defer(() => connection.end());
  // A person's Firefox shows dialogs, and so does this one.
  const alwaysMatch = { acceptInsecureCerts: hasTrustedKeys, unhandledPromptBehavior: { default: 'ignore' } };
  const session = await connection.send('session.new', { capabilities: { alwaysMatch } });
  if (hasTrustedKeys) await trustKeys(connection, trustedKeys);
  if (readHttp3Mode(browser) === 'only') await wakeAltSvc(connection);
  await connection.send('webExtension.install', { extensionData: { type: 'path', path: extension } });

  const gone = new AbortController();
  void process.exited.then(() => gone.abort());
  const running = starting.move();
  return {
    browser: null,
    connection,
    version: `Firefox/${SessionSchema.parse(session).capabilities.browserVersion}`,
    processId: process.processId,
    gone: gone.signal,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
