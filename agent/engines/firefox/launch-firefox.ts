import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { isNamedKey, type JourneyKey, type NamedKey } from '#core/evaluation/journey/journey-step.ts';
import { unlessAborted } from '#core/waiting.ts';
import { readHttp3Mode } from '../browser/hold-to-protocols.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import { readAnswerLimit, type RunningBrowser } from '../browser/browser-session.ts';
import { makeProfileFolder } from '../browser/browser-process.ts';
import type { EngineSettings, EngineLog } from '../engine.ts';
import { BidiConnection, ignoreRefusal, BidiError } from './bidi-connection.ts';
import { systemAccessFlag, wakeAltSvc, trustKeys } from './browser-world.ts';
import { areFramesIdle, collectFrames, findMissedEvents, hasMark } from './collect-firefox-frames.ts';
import { evaluateIn, type FrameRealm } from './frame-realms.ts';
import { listPrefs, writePrefs } from './list-prefs.ts';
import { openPage, pageEvents, type FirefoxPage } from './open-firefox-page.ts';
import { startProcess } from './start-process.ts';
import { warmUp } from './warm-up.ts';
import { describeNavigationFailure, requireWebAddress } from '../browser/navigation-failure.ts';
import { readErrorName } from './network-events.ts';
import type { PageInput } from '../browser/browser-page.ts';

/** https://w3c.github.io/webdriver/#keyboard-actions */
const codes: Record<NamedKey, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

const ScreenshotSchema = z.object({ data: z.base64() });

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
        runAhead: async (script) => {
          await connection.send('script.addPreloadScript', {
            contexts: [page.contextId],
            functionDeclaration: `() => {${script}}`,
          });
        },
        navigate: (order) => navigate(page, order),
        findMissedEvents: (looking) => findMissedEvents(page, { nowEpochMs, signal: looking }),
        hintedUrls: [],
        areFramesIdle: (looking) => areFramesIdle(page, { nowEpochMs, signal: looking }),
        hasMark: (names, asking) => hasMark(page, { names, signal: asking }),
        film: null,
        mainThread: null,
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

/** What the viewport shows now, as a JPEG with as many pixels as the device would have. `quality`: in percent. */
async function captureViewport(
  connection: BidiConnection,
  { context, quality }: { context: string; quality: number },
): Promise<Buffer> {
  const answer = await connection.send('browsingContext.captureScreenshot', {
    context,
    format: { type: 'image/jpeg', quality: quality / 100 },
  });
  return Buffer.from(ScreenshotSchema.parse(answer).data, 'base64');
}

/** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
async function navigate(page: FirefoxPage, { url, signal }: { url: string; signal: AbortSignal }): Promise<void> {
  requireWebAddress(url);
  try {
    await unlessAborted(
      page.connection.send('browsingContext.navigate', { context: page.contextId, url, wait: 'none' }),
      signal,
    );
  } catch (error) {
    // So Firefox calls a navigation that led to a page about an error, which its message names.
    if (!(error instanceof BidiError) || error.code !== 'unknown error') throw error;
    throw describeNavigationFailure(readErrorName(error.message), page.recorder.mainDocument);
  }
}

/** Mouse and keyboard of a tab. */
function makeInput({ connection, contextId: context }: FrameRealm): PageInput {
  const perform = async (source: object) => {
    await connection.send('input.performActions', { context, actions: [source] });
  };
  const act = (actions: readonly object[]) => perform({ type: 'key', id: 'keyboard', actions });
  return {
    click: ({ x, y }) =>
      perform({
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x: Math.floor(x), y: Math.floor(y), origin: 'viewport' },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    press: (key) => act([{ type: 'keyDown', value: codeOf(key) }]),
    release: (key) => act([{ type: 'keyUp', value: codeOf(key) }]),
    type: (text) =>
      act(
        Array.from(text, (character) => (character === '\n' ? codes.Enter : character)).flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      ),
  };
}

function codeOf(key: JourneyKey): string {
  return isNamedKey(key) ? codes[key] : key;
}
