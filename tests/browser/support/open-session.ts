import path from 'node:path';
import { build } from 'vite';
import type { z } from 'zod';
import { openChromeEngine } from '#agent/engines/chrome/chrome-engine.ts';
import type { Engine, EngineSession } from '#agent/engines/engine.ts';
import { openFirefoxEngine } from '#agent/engines/firefox/firefox-engine.ts';
import type { OsUser } from '#agent/users/find-os-user.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/page-load.ts';
import { findChrome } from './find-chrome.ts';
import { findFirefox } from './find-firefox.ts';
import type { ChromeEngineOptions } from '#agent/engines/chrome/launch-chrome.ts';

export interface SessionOptions extends Partial<ChromeEngineOptions> {
  pageLoad?: z.input<typeof PageLoadSchema>;
  signal?: AbortSignal;
  osUser?: OsUser;
  recordsHeaders?: boolean;
  filmsViewport?: boolean;
  browser?: z.input<typeof BrowserSettingsSchema>;
}

/** A session of the chrome engine with the probe as it is in the source now. */
export async function openSession(options: SessionOptions = {}): Promise<EngineSession> {
  await buildProbe();
  return openOf(await openChromeEngine({ executablePath: findChrome(), ...options }), options);
}

/** A session of the firefox engine, likewise. */
export async function openFirefoxSession(options: SessionOptions = {}): Promise<EngineSession> {
  await buildProbe();
  return openOf(await openFirefoxEngine({ executablePath: findFirefox(), ...options }), options);
}

async function buildProbe(): Promise<void> {
  await build({ configFile: path.join(import.meta.dirname, '../../../probe/vite.config.ts'), logLevel: 'warn' });
}

function openOf(
  engine: Engine,
  { pageLoad = {}, browser = {}, signal, osUser, recordsHeaders = false, filmsViewport = false }: SessionOptions,
): Promise<EngineSession> {
  return engine.open({
    pageLoad: PageLoadSchema.parse(pageLoad),
    browser: BrowserSettingsSchema.parse(browser),
    recordsHeaders,
    filmsViewport,
    ...(signal && { signal }),
    ...(osUser && { osUser }),
  });
}
