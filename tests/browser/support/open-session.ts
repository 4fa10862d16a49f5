import path from 'node:path';
import { build } from 'vite';
import { BrowserSettingsSchema } from '#core/evaluation/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/page-load.ts';
import type { z } from 'zod';
import type { EngineSession } from '#agent/engines/engine.ts';
import { openChromeEngine, type ChromeEngineOptions } from '#agent/engines/chrome/chrome-engine.ts';
import type { OsUser } from '#agent/users/find-os-user.ts';
import { findChrome } from './find-chrome.ts';

export interface SessionOptions extends Partial<ChromeEngineOptions> {
  pageLoad?: z.input<typeof PageLoadSchema>;
  signal?: AbortSignal;
  osUser?: OsUser;
  recordsHeaders?: boolean;
  browser?: z.input<typeof BrowserSettingsSchema>;
}

/** A session of the chrome engine with the probe as it is in the source now. */
export async function openSession({ pageLoad = {}, browser = {}, signal, osUser, recordsHeaders = false, ...options }: SessionOptions = {}): Promise<EngineSession> {
  await build({ configFile: path.join(import.meta.dirname, '../../../probe/vite.config.ts'), logLevel: 'warn' });
  const engine = await openChromeEngine({ executablePath: findChrome(), ...options });
  return engine.open({ pageLoad: PageLoadSchema.parse(pageLoad), browser: BrowserSettingsSchema.parse(browser), recordsHeaders, ...(signal && { signal }), ...(osUser && { osUser }) });
}
