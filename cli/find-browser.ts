import { makeOwnFolder, removeAbandonedFolders } from '#agent/own-folder.ts';
import { AppError } from '#core/app-error.ts';
import { chromeKind, type BrowserKind } from './browser-kinds.ts';
import { installPackages } from './install-packages.ts';
import path from 'node:path';
import { existsSync, statSync } from 'node:fs';
import { runProgram } from './run-program.ts';
import { mkdir, rename } from 'node:fs/promises';
import { detectBrowserPlatform, getInstalledBrowsers, install, resolveBuildId } from '@puppeteer/browsers';

type BrowserAttempt = { starts: true } | { starts: false; exists: boolean; reason: string };

const answerWithinMs = 20_000;

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

/**
 * Looks again for a browser that was not there: its path once there is one that starts, else null. Costs a few questions to the file system, as one that does not start is
 * tried again only when its file has changed.
 */
export function watchForBrowser(search: BrowserSearch, kind: BrowserKind): () => Promise<string | null> {
  const tried = new Set<string>();
  return async () => {
    for (const candidate of listBrowserPlaces(kind, search)) {
      const changedMs = statSync(candidate, { throwIfNoEntry: false })?.mtimeMs;
      const version = `${candidate} ${changedMs}`;
      if (changedMs === undefined || tried.has(version)) continue;
      tried.add(version);
      const attempt = await tryBrowser(candidate, { kind, signal: search.signal });
      if (attempt.starts) return candidate;
      search.say(`${candidate} does not start: ${attempt.reason}`);
    }
    return null;
  };
}

/** Debian's browser, when this is root on such a machine. Returns its path; rejects otherwise. */
async function installByApt(
  { debianPackage }: BrowserKind,
  progress: { say: (line: string) => void; signal: AbortSignal },
): Promise<string> {
  await installPackages([debianPackage], progress);
  return `/usr/bin/${debianPackage}`;
}

/** The paths where this machine could have the browser, the best first: macOS's folder of applications, then the PATH. */
export function listBrowserPlaces(
  { programs, macApplications }: BrowserKind,
  { environment, platform }: { environment: NodeJS.ProcessEnv; platform: NodeJS.Platform },
): string[] {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter(Boolean);
  const onPath = programs.flatMap((program) => folders.map((folder) => path.join(folder, program)));
  return platform === 'darwin' ? [...macApplications, ...onPath] : onPath;
}

/** Whether this really is a browser that starts here: files of a broken or foreign one lie around on many machines. */
async function tryBrowser(
  file: string,
  { kind, signal }: { kind: BrowserKind; signal: AbortSignal },
): Promise<BrowserAttempt> {
  if (!existsSync(file)) return { starts: false, exists: false, reason: 'no such file' };
  const limit = AbortSignal.timeout(answerWithinMs);
  try {
    const { exitCode, output } = await runProgram(file, ['--version'], { signal: AbortSignal.any([signal, limit]) });
    if (exitCode === 0 && kind.version.test(output)) return { starts: true };
    return {
      starts: false,
      exists: true,
      reason: `--version: ${output.trim().slice(0, 300) || `exit status ${exitCode}`}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted ? `no answer within ${answerWithinMs / 1000} s` : (error as Error).message;
    return { starts: false, exists: true, reason };
  }
}

/** A browser as its makers build it, fetched into the home folder unless one is there already. Returns its path; rejects without a network, or the signal's reason. */
async function fetchBrowser(
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
  await mkdir(homeFolder, { recursive: true });
  await removeAbandonedFolders(homeFolder, 'browser');
  await using draft = await makeOwnFolder(homeFolder, 'browser');
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    const buildId = await Promise.race([resolveBuildId(browser, platform, 'stable'), aborted.promise]);
    await Promise.race([install({ browser, buildId, platform, cacheDir: draft.path }), aborted.promise]);
    await mkdir(cacheDir, { recursive: true });
    await rename(path.join(draft.path, browser), path.join(cacheDir, browser));
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return (await findFetched())!;

  async function findFetched(): Promise<string | undefined> {
    return (await getInstalledBrowsers({ cacheDir })).find((installed) => installed.browser === browser)
      ?.executablePath;
  }
}
