import { AppError } from '#core/app-error.ts';
import { chromeKind, type BrowserKind } from './browser/browser-kinds.ts';
import { fetchBrowser } from './browser/fetch-browser.ts';
import { installByApt } from './browser/install-by-apt.ts';
import { listBrowserPlaces } from './browser/list-browser-places.ts';
import { tryBrowser } from './browser/try-browser.ts';

export interface BrowserSearch {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Browsers are fetched into `browsers` in it. */
  homeFolder: string;
  /** Gets a line for each failed attempt, and for what takes long. */
  say: (line: string) => void;
  signal: AbortSignal;
}

/**
 * The path of a browser that was just seen to start: the one that its variable names, the system's, one fetched by puppeteer's
 * installer, one from apt-get when root; in that order. Throws `browser-missing`.
 */
export async function findBrowser(search: BrowserSearch, kind: BrowserKind = chromeKind): Promise<string> {
  const { say, signal } = search;
  const present = await findPresentBrowser(search, kind);
  if (present !== null) return present;
  say(`${kind.name} is not installed`);

  for (const [source, bring] of [
    ['puppeteer’s installer', fetchBrowser],
    ['apt-get', installByApt],
  ] as const) {
    try {
      const found = await bring(kind, search);
      const attempt = await tryBrowser(found, { kind, signal });
      if (attempt.starts) return found;
      say(`${found}, from ${source}, does not start: ${attempt.reason}`);
    } catch (error) {
      signal.throwIfAborted();
      say(`No browser from ${source}: ${(error as Error).message}`);
    }
  }
  throw new AppError(
    'browser-missing',
    `${kind.name} was not found and cannot be installed (see above): install it (Debian: sudo apt-get install ${kind.debianPackage}), or set ${kind.variable} to its path`,
  );
}

/** As `findBrowser`, but without bringing one: null where there is none. Throws `browser-missing` when the one that is named does not start. */
export async function findPresentBrowser(search: BrowserSearch, kind: BrowserKind): Promise<string | null> {
  const { variable, option } = kind;
  const named = search.environment[variable];
  if (!named) return findInstalled(search, kind);
  const attempt = await tryBrowser(named, { kind, signal: search.signal });
  if (attempt.starts) return named;
  throw new AppError(
    'browser-missing',
    `${variable} (or ${option}) is ${named}, which does not start (${attempt.reason}): name a browser that starts, or none`,
  );
}

async function findInstalled(
  { environment, platform, say, signal }: BrowserSearch,
  kind: BrowserKind,
): Promise<string | null> {
  for (const candidate of listBrowserPlaces(kind, { environment, platform })) {
    const attempt = await tryBrowser(candidate, { kind, signal });
    if (attempt.starts) return candidate;
    if (attempt.exists) say(`${candidate} does not start: ${attempt.reason}`);
  }
  return null;
}
