import { tmpdir } from 'node:os';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { BrowserSession } from '../browser/browser-session.ts';
import { removeAbandonedFolders } from '../../own-folder.ts';
import { readSystemClock } from '../../system-clock-lead.ts';
import { readProbe } from '../browser/read-probe.ts';
import type { Engine } from '../engine.ts';
import { launchFirefox, type FirefoxEngineOptions } from './launch-firefox.ts';

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
