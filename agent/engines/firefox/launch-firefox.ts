import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { unlessAborted } from '#core/unless-aborted.ts';
import { readHttp3Mode } from '../browser/http3-mode.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import { readAnswerLimit } from '../browser/browser-session.ts';
import { makeProfileFolder } from '../browser/profile-folder.ts';
import type { RunningBrowser } from '../browser/running-browser.ts';
import type { EngineSettings, EngineLog } from '../engine.ts';
import { BidiConnection, ignoreRefusal } from './bidi-connection.ts';
import { captureViewport } from './capture-viewport.ts';
import { systemAccessFlag } from './browser-world.ts';
import { areFramesIdle, collectFrames, findMissedEvents, hasMark } from './collect-frames.ts';
import { evaluateIn } from './frame-realms.ts';
import { listPrefs, writePrefs } from './list-prefs.ts';
import { makeInput } from './make-input.ts';
import { navigate } from './navigate.ts';
import { openPage, pageEvents } from './open-page.ts';
import { startProcess } from './start-process.ts';
import { trustKeys } from './trust-keys.ts';
import { wakeAltSvc } from './wake-alt-svc.ts';
import { warmUp } from './warm-up.ts';

export interface FirefoxEngineOptions {
  executablePath: string;
  /** Where the browsers' temporary profiles are made; the system's folder for temporary files when left out. */
  temporaryFolder?: string;
  log?: EngineLog;
}

export interface LaunchFirefoxOptions extends FirefoxEngineOptions, Omit<EngineSettings, 'signal'> {
  probeSource: string;
  nowEpochMs: () => number;
}

/** How long Firefox needs after its first page until the next takes no longer than those that follow: it starts processes ahead, with a delay (`dom.ipc.processPrelaunch.delayMs`). */
const prelaunchMs = 1000;

const UserContextSchema = z.object({ userContext: z.string() });
const AuthEventSchema = z.object({ request: z.object({ request: z.string() }) });

/** Firefox as the engines for browsers know it. Throws an AppError when it does not start. */
export async function launchFirefox(options: LaunchFirefoxOptions, signal?: AbortSignal): Promise<RunningBrowser> {
  const { executablePath, osUser } = options;
  try {
    return await startFirefox(options, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new AppError(
      'browser-failed',
      `The browser ${executablePath} did not start${describeUser(osUser)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function describeUser(osUser: OsUser | undefined): string {
  return osUser
    ? ` as OS user ${osUser.uid} (who must be allowed to run it, as a browser under /usr or /opt; HTTP_AE_FIREFOX names it)`
    : '';
}

async function startFirefox(options: LaunchFirefoxOptions, signal?: AbortSignal): Promise<RunningBrowser> {
  const { executablePath, osUser, browser, pageLoad, probeSource, nowEpochMs, recordsHeaders = false } = options;
  const { trustedKeys, viewport = pageLoad.viewport, deviceScaleRatio = 1 } = browser;
  const hasTrustedKeys = trustedKeys.length > 0;

  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await makeProfileFolder(options.temporaryFolder ?? tmpdir(), osUser));
  const process = await startProcess({
    executablePath,
    args: [systemAccessFlag],
    userPrefs: writePrefs(listPrefs(browser, options.urls)),
    folder: folder.path,
    osUser,
    signal,
  });
  resources.defer(() => process.end());
  const connection = await BidiConnection.open({
    url: `${process.bidiUrl}/session`,
    answerWithinMs: readAnswerLimit(pageLoad),
    ...(signal && { signal }),
  });
  resources.defer(() => connection.end());
  const version = await openSession(connection, { acceptInsecureCerts: hasTrustedKeys });
  if (hasTrustedKeys) await trustKeys(connection, trustedKeys);
  if (readHttp3Mode(browser) === 'only') await wakeAltSvc(connection);

  const gone = new AbortController();
  connection.closed.addEventListener('abort', () => gone.abort(connection.closed.reason));
  void process.exited.then(() => gone.abort());
  const stack = resources.move();
  let ended: Promise<void> | null = null;
  const createContext = async () =>
    UserContextSchema.parse(await connection.send('browser.createUserContext')).userContext;
  const pageSettings = { viewport, deviceScaleRatio, probeSource, nowEpochMs, recordsHeaders };
  return {
    version,
    processId: process.processId,
    gone: gone.signal,
    createContext,
    warmUp: async () => {
      const page = await openPage(connection, { contextId: await createContext(), isContextKept: false }, pageSettings);
      await warmUp(page, probeSource);
      await sleep(prelaunchMs, undefined, { signal: gone.signal });
    },
    openPage: async (place) => {
      const page = await openPage(connection, place, pageSettings);
      return {
        recorder: page.recorder,
        get viewport() {
          return page.viewport;
        },
        get isJourney() {
          return page.isJourney;
        },
        set isJourney(isJourney) {
          page.isJourney = isJourney;
        },
        setViewport: async (wanted) => {
          await connection.send('browsingContext.setViewport', {
            context: page.contextId,
            viewport: { width: wanted.widthPx, height: wanted.heightPx },
          });
          page.viewport = wanted;
        },
        ask: (expression, asking) => unlessAborted(evaluateIn(page, expression), asking),
        input: makeInput(page),
        lost: page.lost,
        navigate: (order) => navigate(page, order),
        findMissedEvents: (looking) => findMissedEvents(page, { nowEpochMs, signal: looking }),
        hintedUrls: [],
        areFramesIdle: (idle) => areFramesIdle(page, idle),
        hasMark: (names, asking) => hasMark(page, { names, signal: asking }),
        film: null,
        collectFrames: (collecting) => collectFrames(page, { probeSource, signal: collecting }),
        captureViewport: (quality) => captureViewport(connection, { context: page.contextId, quality }),
        [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => (ended ??= stack.disposeAsync()),
  };
}

const SessionSchema = z.object({ capabilities: z.object({ browserVersion: z.string() }) });

/** Makes the one session that a Firefox has: dialogs are left to the page's watch, passwords not given, files not saved. Returns the browser's version. */
async function openSession(
  connection: BidiConnection,
  { acceptInsecureCerts }: { acceptInsecureCerts: boolean },
): Promise<string> {
  const alwaysMatch = { acceptInsecureCerts, unhandledPromptBehavior: { default: 'ignore' } };
  const { capabilities } = SessionSchema.parse(await connection.send('session.new', { capabilities: { alwaysMatch } }));
  connection.on('network.authRequired', (params) => {
    const { request } = AuthEventSchema.parse(params).request;
    void ignoreRefusal(connection.send('network.continueWithAuth', { request, action: 'cancel' }));
  });
  await Promise.all([
    connection.send('session.subscribe', { events: [...pageEvents, 'network.authRequired'] }),
    connection.send('network.addIntercept', { phases: ['authRequired'] }),
    connection.send('browser.setDownloadBehavior', { downloadBehavior: { type: 'denied' } }),
  ]);
  return `Firefox/${capabilities.browserVersion}`;
}
