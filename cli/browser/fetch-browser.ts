import path from 'node:path';
import { Browser, detectBrowserPlatform, getInstalledBrowsers, install, resolveBuildId } from '@puppeteer/browsers';

/** Chrome for Testing, fetched into the home folder unless one is there already. Returns its path; rejects without a network. */
export async function fetchBrowser({ homeFolder, say }: { homeFolder: string; say: (line: string) => void }): Promise<string> {
  const cacheDir = path.join(homeFolder, 'browsers');
  const earlier = await getInstalledBrowsers({ cacheDir });
  const chrome = earlier.find(({ browser }) => browser === Browser.CHROME);
  if (chrome) return chrome.executablePath;

  const platform = detectBrowserPlatform();
  if (!platform) throw new Error('there is no build of Chrome for this platform');
  say('Fetching Chrome with puppeteer’s installer; this may take some minutes');
  const buildId = await resolveBuildId(Browser.CHROME, platform, 'stable');
  const { executablePath } = await install({ browser: Browser.CHROME, buildId, platform, cacheDir });
  return executablePath;
}
