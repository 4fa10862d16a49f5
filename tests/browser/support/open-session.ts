import path from 'node:path';
import type { z } from 'zod';
import { openChromeEngine, openFirefoxEngine } from '#agent/engines/open-engines.ts';
import type { Engine, EngineSession } from '#agent/engines/engine.ts';
import type { OsUser } from '#agent/users/find-os-user.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { findChrome } from './find-chrome.ts';
import { findFirefox } from './find-firefox.ts';
import type { ChromeEngineOptions } from '#agent/engines/chrome/launch-chrome.ts';

export interface SessionOptions extends Partial<ChromeEngineOptions> {
  pageLoad?: z.input<typeof PageLoadSchema>;
  signal?: AbortSignal;
  osUser?: OsUser;
  recordsHeaders?: boolean;
  filmsViewport?: boolean;
  recordsMainThread?: boolean;
  browser?: z.input<typeof BrowserSettingsSchema>;
  urls?: readonly string[];
}

type EngineOptions = Partial<ChromeEngineOptions>;

/** Opened once for a file of tests: an engine starts a browser to learn that it works, before those of its sessions. */
const shared = new Map<typeof openChromeEngine, Promise<Engine>>();

/** A session of the chrome engine with the probe as it is in the source now. */
export async function openSession(options: SessionOptions = {}): Promise<EngineSession> {
  return openOf(await openEngine(openChromeEngine, { findExecutable: findChrome, ...options }), options);
}

/** A session of the firefox engine, likewise. */
export async function openFirefoxSession(options: SessionOptions = {}): Promise<EngineSession> {
  return openOf(await openEngine(openFirefoxEngine, { findExecutable: findFirefox, ...options }), options);
}

/** Shared, but for a test that has options of its own for the engine. */
async function openEngine(
  open: typeof openChromeEngine,
  { findExecutable, executablePath, temporaryFolder, log }: EngineOptions & { findExecutable: () => string },
): Promise<Engine> {
  const start = async () => {
    await buildProbe();
    return open({
      executablePath: executablePath ?? findExecutable(),
      ...(temporaryFolder !== undefined && { temporaryFolder }),
      ...(log && { log }),
    });
  };
  if (executablePath !== undefined || temporaryFolder !== undefined || log) return start();
  const found = shared.get(open) ?? start();
  shared.set(open, found);
  return found;
}

/** Unless `./http-ae test` has done so. */
async function buildProbe(): Promise<void> {
  if (process.env.HTTP_AE_TEST_BUILT) return;
  const { build } = await import('vite');
  await build({ configFile: path.join(import.meta.dirname, '../../../probe/vite.config.ts'), logLevel: 'warn' });
}

function openOf(
  engine: Engine,
  {
    pageLoad = {},
    browser = {},
    urls = [],
    signal,
    osUser,
    recordsHeaders = false,
    filmsViewport = false,
    recordsMainThread = false,
  }: SessionOptions,
): Promise<EngineSession> {
  return engine.open({
    pageLoad: PageLoadSchema.parse(pageLoad),
    browser: BrowserSettingsSchema.parse(browser),
    urls,
    recordsHeaders,
    filmsViewport,
    recordsMainThread,
    ...(signal && { signal }),
    ...(osUser && { osUser }),
  });
}
