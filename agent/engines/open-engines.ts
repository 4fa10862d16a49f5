import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { Engine as EngineName } from '#core/evaluation/users/user-agent.ts';
import type { Engine, EngineLog } from './engine.ts';
import type { ExtensionTarget } from './extension/pack-extension.ts';
import { openHttpEngine } from './http/http-engine.ts';
import { tmpdir } from 'node:os';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { listSettingsOfStartedExtension } from '#core/evaluation/browser/engine-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { removeAbandonedFolders } from '../own-folder.ts';
import { ExtensionSession, type ExtensionEngineOptions } from './extension/extension-session.ts';
import { BrowserSession } from './browser/browser-session.ts';
import { readSystemClock } from '../system-clock-lead.ts';
import { launchBrowser } from './chrome/launch-browser.ts';
import { launchChrome, type ChromeEngineOptions } from './chrome/launch-chrome.ts';
import { launchFirefox, type FirefoxEngineOptions } from './firefox/launch-firefox.ts';

/** The browsers of this machine that an Agent runs; null or left out for none. */
export interface BrowserPaths {
  chromePath: string | null;
  firefox?: FoundFirefox | null | undefined;
  /** Which of the two is also run with the extension in it. */
  extension?: ExtensionTarget | null | undefined;
}

export interface FoundFirefox {
  path: string;
  /** False for one that nobody asked for: when it does not start, the Agent does without it. */
  isRequired: boolean;
}

/** Starts each engine for a try; the http engine needs no browser and is always there. Throws an AppError when one that was asked for does not start. */
export async function openEngines(
  { chromePath, firefox = null, extension = null }: BrowserPaths,
  log: EngineLog,
): Promise<ReadonlyMap<EngineName, Engine>> {
  const engines = [
    openHttpEngine(),
    ...(chromePath === null ? [] : [await openChromeEngine({ executablePath: chromePath, log })]),
    ...(firefox === null ? [] : await openFirefox(firefox, log)),
    ...(extension === null ? [] : await openExtension(extension, { chromePath, firefox, log })),
  ];
  return new Map(engines.map((engine) => [engine.name, engine]));
}

/** An Agent without browsers has no extension either. */
async function openExtension(
  target: ExtensionTarget,
  { chromePath, firefox = null, log }: BrowserPaths & { log: EngineLog },
): Promise<Engine[]> {
  const executablePath = target === 'chrome' ? chromePath : (firefox?.path ?? null);
  return executablePath === null ? [] : [await openExtensionEngine({ target, executablePath, log })];
}

async function openFirefox({ path, isRequired }: FoundFirefox, log: EngineLog): Promise<Engine[]> {
  try {
    return [await openFirefoxEngine({ executablePath: path, log })];
  } catch (error) {
    if (isRequired || !(error instanceof AppError)) throw error;
    log.warn(`There is no engine firefox here: ${error.message}`);
    return [];
  }
}

/** A headless browser of this machine with the extension in it. Starts it once, to learn its version and that it works at all. */
async function openExtensionEngine(options: ExtensionEngineOptions): Promise<Engine> {
  await removeAbandonedFolders(options.temporaryFolder ?? tmpdir(), 'browser');
  await using trial = await ExtensionSession.open({
    ...options,
    pageLoad: PageLoadSchema.parse({}),
    browser: BrowserSettingsSchema.parse({}),
  });
  return {
    name: 'extension',
    browserVersion: trial.browserVersion,
    settings: listSettingsOfStartedExtension(options.target),
    open: (settings) => ExtensionSession.open({ ...options, ...settings }),
  };
}

/** Chrome or Chromium, headless, spoken to by the DevTools Protocol. Starts it once, to learn its version and that it works at all. */
export async function openChromeEngine(options: ChromeEngineOptions): Promise<Engine> {
  const probeSource = await readProbe();
  await removeAbandonedFolders(options.temporaryFolder ?? tmpdir(), 'browser');
  await using trial = await launchBrowser({
    ...options,
    answerWithinMs: 60_000,
    browser: BrowserSettingsSchema.parse({}),
  });
  return {
    name: 'chrome',
    browserVersion: trial.version,
    open: ({ signal, ...settings }) => {
      const all = { nowEpochMs: readSystemClock(), ...options, ...settings, probeSource };
      return BrowserSession.open({ ...all, launch: (starting) => launchChrome(all, starting) }, signal);
    },
  };
}

/** Firefox, headless, spoken to by WebDriver BiDi. Starts it once, to learn its version and that it works at all. */
export async function openFirefoxEngine(options: FirefoxEngineOptions): Promise<Engine> {
  const probeSource = await readProbe();
  await removeAbandonedFolders(options.temporaryFolder ?? tmpdir(), 'browser');
  await using trial = await launchFirefox({
    ...options,
    pageLoad: PageLoadSchema.parse({}),
    browser: BrowserSettingsSchema.parse({}),
    probeSource,
    nowEpochMs: readSystemClock(),
  });
  return {
    name: 'firefox',
    browserVersion: trial.version,
    open: ({ signal, ...settings }) => {
      const all = { nowEpochMs: readSystemClock(), ...options, ...settings, probeSource };
      return BrowserSession.open({ ...all, launch: (starting) => launchFirefox(all, starting) }, signal);
    },
  };
}

const probeFile = new URL('../../probe/dist/page-probe.js', import.meta.url);

/** The text of the built probe. Throws `probe-missing`. */
async function readProbe(): Promise<string> {
  try {
    return await readFile(probeFile, 'utf8');
  } catch (cause) {
    throw new AppError(
      'probe-missing',
      'The probe that runs in the pages is not built: start by ./http-ae, which builds it',
      { cause },
    );
  }
}
