import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { fetchBrowser } from './browser/fetch-browser.ts';
import { installByApt } from './browser/install-by-apt.ts';
import { tryBrowser } from './browser/try-browser.ts';

export interface BrowserSearch {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Browsers are fetched into `browsers` in it. */
  homeFolder: string;
  /** Is told each thing that was tried in vain, and what takes long. */
  say: (line: string) => void;
  signal: AbortSignal;
}

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The path of a Chromium or Chrome that was just seen to start: `HTTP_AE_CHROME`, the system's, one fetched by puppeteer's
 * installer, one from apt-get when root; in that order. Throws `browser-missing`.
 */
export async function findBrowser(search: BrowserSearch): Promise<string> {
  const { environment, say, signal } = search;
  const named = environment.HTTP_AE_CHROME;
  if (named) {
    const attempt = await tryBrowser(named, signal);
    if (attempt.starts) return named;
    throw new AppError('browser-missing', `HTTP_AE_CHROME (or --chrome) is ${named}, which does not start (${attempt.reason}): name one that does, or none`);
  }

  const installed = await findInstalled(search);
  if (installed) return installed;
  say('No Chromium or Chrome is installed here');

  for (const [source, bring] of [['puppeteer’s installer', fetchBrowser], ['apt-get', installByApt]] as const) {
    try {
      const found = await bring(search);
      const attempt = await tryBrowser(found, signal);
      if (attempt.starts) return found;
      say(`${found}, from ${source}, does not start: ${attempt.reason}`);
    } catch (error) {
      signal.throwIfAborted();
      say(`No browser from ${source}: ${(error as Error).message}`);
    }
  }
  throw new AppError(
    'browser-missing',
    'No browser was found, and none could be installed (see above): install Chromium or Google Chrome (Debian: sudo apt-get install chromium), or name one in HTTP_AE_CHROME',
  );
}

async function findInstalled({ environment, platform, say, signal }: BrowserSearch): Promise<string | null> {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter(Boolean);
  const candidates = programs.flatMap((program) => folders.map((folder) => path.join(folder, program)));
  for (const candidate of platform === 'darwin' ? [...macApplications, ...candidates] : candidates) {
    const attempt = await tryBrowser(candidate, signal);
    if (attempt.starts) return candidate;
    if (attempt.exists) say(`${candidate} does not start: ${attempt.reason}`);
  }
  return null;
}
