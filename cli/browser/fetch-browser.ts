import path from 'node:path';
import { detectBrowserPlatform, getInstalledBrowsers, install, resolveBuildId } from '@puppeteer/browsers';
import type { BrowserKind } from './browser-kinds.ts';

/** A browser as its makers build it, fetched into the home folder unless one is there already. Returns its path; rejects without a network. */
export async function fetchBrowser(kind: BrowserKind, { homeFolder, say }: { homeFolder: string; say: (line: string) => void }): Promise<string> {
  const cacheDir = path.join(homeFolder, 'browsers');
  const browser = kind.puppeteerName;
  const earlier = (await getInstalledBrowsers({ cacheDir })).find((installed) => installed.browser === browser);
  if (earlier) return earlier.executablePath;

  const platform = detectBrowserPlatform();
  if (!platform) throw new Error(`there is no build of ${kind.name} for this platform`);
  say(`Fetching ${kind.name} with puppeteer’s installer; this may take some minutes`);
  const buildId = await resolveBuildId(browser, platform, 'stable');
  const { executablePath } = await install({ browser, buildId, platform, cacheDir });
  return executablePath;
}
