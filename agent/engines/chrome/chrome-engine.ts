import { tmpdir } from 'node:os';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { BrowserSession } from '../browser/browser-session.ts';
import { removeAbandonedFolders } from '../../own-folder.ts';
import { readSystemClock } from '../../system-clock-lead.ts';
import { readProbe } from '../browser/read-probe.ts';
import type { Engine } from '../engine.ts';
import { launchBrowser } from './launch-browser.ts';
import { launchChrome, type ChromeEngineOptions } from './launch-chrome.ts';

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
