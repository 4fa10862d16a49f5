import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { detectBrowserPlatform, getInstalledBrowsers, install, resolveBuildId } from '@puppeteer/browsers';
import type { BrowserKind } from './browser-kinds.ts';

/** A browser as its makers build it, fetched into the home folder unless one is there already. Returns its path; rejects without a network, or the signal's reason. */
export async function fetchBrowser(
  kind: BrowserKind,
  { homeFolder, say, signal }: { homeFolder: string; say: (line: string) => void; signal: AbortSignal },
): Promise<string> {
  const cacheDir = path.join(homeFolder, 'browsers');
  const browser = kind.puppeteerName;
  const earlier = await findFetched();
  if (earlier !== undefined) return earlier;

  const platform = detectBrowserPlatform();
  if (!platform) throw new Error(`no build of ${kind.name} for this platform`);
  say(`Fetching ${kind.name} with puppeteer’s installer; this may take some minutes`);
  // Moved to its place when it is whole: what was broken off must not pass for a browser at the next start.
  const draft = `${cacheDir}.fetching-${process.pid}`;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    const buildId = await Promise.race([resolveBuildId(browser, platform, 'stable'), aborted.promise]);
    await Promise.race([install({ browser, buildId, platform, cacheDir: draft }), aborted.promise]);
    await mkdir(cacheDir, { recursive: true });
    await rename(path.join(draft, browser), path.join(cacheDir, browser));
  } finally {
    signal.removeEventListener('abort', abort);
    await rm(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  return (await findFetched())!;

  async function findFetched(): Promise<string | undefined> {
    return (await getInstalledBrowsers({ cacheDir })).find((installed) => installed.browser === browser)
      ?.executablePath;
  }
}
