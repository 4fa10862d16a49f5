import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { launch, TargetType, type Browser, type LaunchOptions, type Target } from 'puppeteer-core';
import { AppError } from '#core/app-error.ts';
import type { BrowserSettings } from '#core/evaluation/browser-settings.ts';
import type { Enrolment } from '#core/protocol/enrolment-link.ts';
import { killGroup } from '../../kill-group.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import { describeAgentEnvironment } from '../browser/describe-agent-environment.ts';
import { describeUserEnvironment } from '../browser/describe-user-environment.ts';
import { launchAsUser } from '../chrome/launch-as-user.ts';
import { listLaunchFlags } from '../chrome/launch-flags.ts';
import { listPrefs } from '../firefox/list-prefs.ts';
import { packExtension, type ExtensionTarget } from './pack-extension.ts';

export interface ExtensionBrowserOptions {
  target: ExtensionTarget;
  executablePath: string;
  /** Whose Agent the extension is, from the start. */
  enrolment: Enrolment;
  /** Where profile and extension are kept: who starts a browser there again finds it as it was. */
  folder: string;
  browser: BrowserSettings;
  /** Whom the browser runs as; as this process when left out. Of Chrome only. */
  osUser?: OsUser;
  signal?: AbortSignal;
}

/** A headless browser with the extension in it. Disposing of it ends all its processes; its folder stays. */
export interface ExtensionBrowser extends AsyncDisposable {
  readonly browser: Browser;
  readonly version: string;
  readonly processId: number;
  /** Aborted once the browser's main process is gone. */
  readonly gone: AbortSignal;
}

/** Throws an AppError when the browser does not start, or does not take the extension. */
export async function launchExtensionBrowser(options: ExtensionBrowserOptions): Promise<ExtensionBrowser> {
  const { target, executablePath, enrolment, folder, osUser, signal } = options;
  const extension = path.join(folder, 'extension');
  const userDataDir = path.join(folder, 'profile');
  await packExtension(target, { enrolment, folder: extension });
  await mkdir(userDataDir, { recursive: true });
  if (osUser) await chown(userDataDir, osUser.uid, osUser.gid);
  try {
    const launchOptions = {
      executablePath,
      userDataDir,
      env: osUser ? describeUserEnvironment(folder) : describeAgentEnvironment(folder),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      waitForInitialPage: false,
      defaultViewport: null,
      ...(signal && { signal }),
      ...(target === 'chrome' ? describeChrome(options) : describeFirefox(options)),
    } satisfies LaunchOptions;
    const browser = await (osUser ? launchAsUser(launchOptions, osUser) : launch(launchOptions));
    if (target === 'chrome') {
      const session = await browser.target().createCDPSession();
      await session.send('Extensions.loadUnpacked', { path: extension, enableInIncognito: true });
    } else {
      await browser.installExtension(extension);
    }
    return describeProcess(browser, await browser.version());
  } catch (cause) {
    signal?.throwIfAborted();
    throw new AppError(
      'browser-failed',
      `The browser ${executablePath} did not start with the extension: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Headless, a screen is as small as 800 × 600, and windows are kept within it. */
const largeScreen = '--screen-info={4096x4096}';

/** The last of a switch counts: the line to the extension never goes by the proxy of the Scenario. */
function listBypassFlags({ browser, enrolment }: ExtensionBrowserOptions): string[] {
  return browser.proxy === undefined
    ? []
    : [`--proxy-bypass-list=<-loopback>;${new URL(enrolment.controllerUrl).host}`];
}

function describeChrome(options: ExtensionBrowserOptions): LaunchOptions & { ignoreDefaultArgs: string[] } {
  const { browser, osUser } = options;
  return {
    args: [
      ...listLaunchFlags(browser, { isRoot: osUser === undefined && process.getuid?.() === 0 }),
      largeScreen,
      ...listBypassFlags(options),
    ],
    pipe: true,
    enableExtensions: true,
    // Puppeteer lets pages open windows; users' browsers do not.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    // Puppeteer itself attaches to nothing: neither to what is measured, nor to the extension, which would live longer for it.
    targetFilter: (target: Target) => target.type() === TargetType.BROWSER,
  };
}

/** What an add-on that is installed for a try keeps would be removed with it, or be that of another, when the browser was killed. */
const keptPrefs = {
  'extensions.webextensions.keepStorageOnUninstall': true,
  'extensions.webextensions.keepUuidOnUninstall': true,
  'extensions.webextensions.uuids': JSON.stringify({ 'http-ae@extension': 'c3a4c1a2-5f0e-4a53-9d0c-6a4c6d1f0b77' }),
};

function describeFirefox({
  browser,
  enrolment,
}: ExtensionBrowserOptions): LaunchOptions & { ignoreDefaultArgs: string[] } {
  // The line to the extension never goes by the proxy of the Scenario.
  const bypass =
    browser.proxy === undefined ? {} : { 'network.proxy.no_proxies_on': new URL(enrolment.controllerUrl).host };
  return {
    ignoreDefaultArgs: [],
    browser: 'firefox',
    headless: true,
    acceptInsecureCerts: browser.trustedKeys.length > 0,
    extraPrefsFirefox: { ...listPrefs(browser), ...bypass, ...keptPrefs },
  };
}

function describeProcess(browser: Browser, version: string): ExtensionBrowser {
  const child = browser.process();
  if (!child?.pid) throw new Error('it has no process');
  const processId = child.pid;
  const gone = new AbortController();
  const exited = once(child, 'exit').then(() => gone.abort());
  const end = async () => {
    killGroup(processId);
    await exited;
  };
  let ended: Promise<void> | null = null;
  return { browser, version, processId, gone: gone.signal, [Symbol.asyncDispose]: () => (ended ??= end()) };
}
