import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { launch, TargetType, type Target } from 'puppeteer-core';
import { killGroup } from '../browser/browser-process.ts';
import { launchAsUser } from '../chrome/launch-as-user.ts';
import { describeChromeEnvironment } from '../chrome/launch-browser.ts';
import { listLaunchFlags } from '../chrome/launch-flags.ts';
import { keepLineDirectInChrome, type ExtensionBrowser, type PackedExtension } from './extension-browser-options.ts';

/** Headless, a screen is as small as 800 × 600, and windows are kept within it. */
const largeScreen = '--screen-info={4096x4096}';

/** Headless Chrome or Chromium with the extension in it, which may open incognito windows. */
export async function launchChromeWithExtension(options: PackedExtension): Promise<ExtensionBrowser> {
  const { executablePath, extension, folder, line, osUser, signal } = options;
  const userDataDir = path.join(folder, 'profile');
  await mkdir(userDataDir, { recursive: true });
  if (osUser) await chown(userDataDir, osUser.uid, osUser.gid);
  const isRoot = osUser === undefined && process.getuid?.() === 0;
  const launchOptions = {
    executablePath,
    userDataDir,
    args: [
      largeScreen,
      ...keepLineDirectInChrome(listLaunchFlags(options.browser, { isRoot, urls: options.urls }), line),
    ],
    // Puppeteer lets pages open windows; users' browsers do not.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    env: describeChromeEnvironment(folder, osUser),
    pipe: true,
    enableExtensions: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    waitForInitialPage: false,
    defaultViewport: null,
    // Puppeteer itself attaches to nothing: neither to what is measured, nor to the extension, which would live longer for it.
    targetFilter: (target: Target) => target.type() === TargetType.BROWSER,
    ...(signal && { signal }),
  };
  const browser = await (osUser ? launchAsUser(launchOptions, osUser) : launch(launchOptions));
  const child = browser.process();
  if (!child?.pid) throw new Error('it has no process');
  const processId = child.pid;
  const gone = new AbortController();
  const exited = once(child, 'exit').then(() => gone.abort());
  let ended: Promise<void> | null = null;
  const end = async () => {
    killGroup(processId);
    await exited;
  };
  await using starting = new AsyncDisposableStack();
  starting.defer(() => (ended ??= end()));
  const session = await browser.target().createCDPSession();
  await session.send('Extensions.loadUnpacked', { path: extension, enableInIncognito: true });
  const version = await browser.version();
  const running = starting.move();
  return {
    browser,
    connection: null,
    version,
    processId,
    gone: gone.signal,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
