import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { AppError } from '#core/app-error.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser-settings.ts';
import { epochClock } from '../../epoch-clock.ts';
import type { Engine } from '../engine.ts';
import { ChromeSession } from './chrome-session.ts';
import { launchBrowser } from './launch-browser.ts';
import { removeAbandonedFolders } from './profile-folder.ts';

export interface ChromeEngineOptions {
  executablePath: string;
  /** Where the browsers' temporary profiles are made; the system's folder for temporary files when left out. */
  temporaryFolder?: string;
  log?: EngineLog;
}

export interface EngineLog {
  warn(message: string): void;
}

const probeFile = new URL('../../../probe/dist/page-probe.js', import.meta.url);

/** Chrome or Chromium, headless, spoken to by the DevTools Protocol. Starts it once, to learn its version and that it works at all. */
export async function openChromeEngine(options: ChromeEngineOptions): Promise<Engine> {
  const probeSource = await readProbe();
  await removeAbandonedFolders(options.temporaryFolder ?? tmpdir());
  await using trial = await launchBrowser({ ...options, answerWithinMs: 60_000, browser: BrowserSettingsSchema.parse({}) });
  return {
    name: 'chrome',
    browserVersion: trial.version,
    open: ({ signal, ...settings }) => ChromeSession.open({ nowEpochMs: epochClock, ...options, ...settings, probeSource }, signal),
  };
}

async function readProbe(): Promise<string> {
  try {
    return await readFile(probeFile, 'utf8');
  } catch (cause) {
    throw new AppError('probe-missing', 'The probe that runs in the pages is not built: run "npm run build:probe"', { cause });
  }
}
