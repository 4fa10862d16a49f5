import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launch, TargetType, type Browser, type CDPSession, type Target } from 'puppeteer-core';
import { AppError } from '#core/app-error.ts';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import { describeAgentEnvironment, describeUserEnvironment } from '../../program-environment.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import type { OwnFolder } from '../../own-folder.ts';
import { makeProfileFolder, killGroup } from '../browser/browser-process.ts';
import { launchAsUser } from './launch-as-user.ts';
import { listLaunchFlags } from './launch-flags.ts';

export interface LaunchOptions {
  executablePath: string;
  browser: BrowserSettings;
  /** As in `EngineSettings`. */
  urls?: readonly string[];
  temporaryFolder?: string;
  /** Whom the browser runs as; as this process when left out. */
  osUser?: OsUser;
  /** The longest that any command to the browser may rightly take. */
  answerWithinMs: number;
}

/** One running browser with a profile of its own. Disposing of it ends all its processes and removes its files. */
export interface BrowserProcess extends AsyncDisposable {
  readonly version: string;
  readonly processId: number;
  /** Speaks to the browser as a whole. */
  readonly session: CDPSession;
  /** Aborted once the browser's main process is gone. */
  readonly gone: AbortSignal;
}

/** Throws an AppError when the browser does not start. */
export async function launchBrowser(options: LaunchOptions, signal?: AbortSignal): Promise<BrowserProcess> {
  const { osUser } = options;
  const folder = await makeProfileFolder(options.temporaryFolder ?? tmpdir(), osUser);
  try {
    const profile = path.join(folder.path, 'profile');
    await writeProfile(profile, osUser);
    const launchOptions = {
      executablePath: options.executablePath,
      args: listLaunchFlags(options.browser, {
        isRoot: osUser === undefined && process.getuid?.() === 0,
        urls: options.urls,
      }),
      // Puppeteer lets pages open windows; users' browsers do not.
      ignoreDefaultArgs: ['--disable-popup-blocking'],
      userDataDir: profile,
      env: describeChromeEnvironment(folder.path, osUser),
      pipe: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      waitForInitialPage: false,
      defaultViewport: null,
      // Puppeteer itself attaches to nothing: its traffic would be part of the measurement.
      targetFilter: (target: Target) => target.type() === TargetType.BROWSER,
      protocolTimeout: options.answerWithinMs,
      ...(signal && { signal }),
    };
    const browser = await (osUser ? launchAsUser(launchOptions, osUser) : launch(launchOptions));
    return await describeProcess(browser, folder);
  } catch (cause) {
    await folder[Symbol.asyncDispose]();
    signal?.throwIfAborted();
    throw new AppError(
      'browser-failed',
      `The browser ${options.executablePath} did not start${describeUser(osUser)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/**
 * Nobody is there to enter a password, and Chrome would wait for one, even for a frame or an image. It takes no way of signing in by which it could ask: then an answer of
 * 401 ends as any other. To answer each question over the DevTools Protocol, all requests would have to pass through it.
 * https://chromeenterprise.google/policies/#AuthSchemes is kept here, in its preferences of all profiles.
 */
async function writeProfile(profile: string, osUser: OsUser | undefined): Promise<void> {
  const file = path.join(profile, 'Local State');
  await mkdir(profile);
  await writeFile(file, JSON.stringify({ auth: { schemes: 'none' } }));
  if (!osUser) return;
  await Promise.all([profile, file].map((each) => chown(each, osUser.uid, osUser.gid)));
}

function describeUser(osUser: OsUser | undefined): string {
  return osUser
    ? ` as OS user ${osUser.uid} (who must be allowed to run it, as a browser under /usr or /opt; HTTP_AE_CHROME names it)`
    : '';
}

async function describeProcess(browser: Browser, folder: OwnFolder): Promise<BrowserProcess> {
  const child = browser.process();
  if (!child?.pid) throw new Error('it has no process');
  const processId = child.pid;
  const gone = new AbortController();
  const exited = once(child, 'exit').then(() => gone.abort());
  // Reported before the commands under way are rejected, so that these are understood.
  browser.on('disconnected', () => gone.abort());

  const end = async () => {
    killGroup(processId);
    await exited;
    await folder[Symbol.asyncDispose]();
  };
  let ended: Promise<void> | null = null;
  const session = await browser.target().createCDPSession();
  await session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'shared_worker' }, { exclude: true }],
  });
  return {
    version: await browser.version(),
    processId,
    session,
    gone: gone.signal,
    [Symbol.asyncDispose]: () => (ended ??= end()),
  };
}

/** What Chrome adds to its folder for temporary files. */
const socket = '/org.chromium.Chromium.XXXXXX/SingletonSocket';
/** Of the path of a socket on Linux, in bytes: `sun_path` of unix(7), without the byte that ends it. */
const longestSocketPath = 107;

/** The environment of a Chrome with its files in this folder. Throws an AppError where the folder's path is so long that Chrome would end without a word. */
export function describeChromeEnvironment(folder: string, osUser?: OsUser): NodeJS.ProcessEnv {
  const excess = Buffer.byteLength(folder) + socket.length - longestSocketPath;
  if (process.platform === 'linux' && excess > 0) {
    throw new AppError(
      'browser-failed',
      `The path of the folder for temporary files, ${path.dirname(folder)}, is ${excess} bytes too long for Chrome's socket. Set TMPDIR to a shorter one, such as /tmp`,
    );
  }
  return osUser ? describeUserEnvironment(folder) : describeAgentEnvironment(folder);
}
