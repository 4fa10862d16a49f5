import { unlessAborted } from '#core/unless-aborted.ts';
import type { EngineSettings, EngineLog } from '../engine.ts';
import { readAnswerLimit } from '../browser/browser-session.ts';
import type { RunningBrowser } from '../browser/running-browser.ts';
import { captureViewport } from './capture-viewport.ts';
import { areFramesIdle, collectFrames, findMissedEvents, hasMark } from './collect-frames.ts';
import { evaluateIn, findMainWorld } from './frame-worlds.ts';
import { launchBrowser } from './launch-browser.ts';
import { navigate } from './navigate.ts';
import { makeInput } from './make-input.ts';
import { openPage, setViewport } from './open-page.ts';

export interface ChromeEngineOptions {
  executablePath: string;
  /** Where the browsers' temporary profiles are made; the system's folder for temporary files when left out. */
  temporaryFolder?: string;
  log?: EngineLog;
}

export interface LaunchChromeOptions extends ChromeEngineOptions, Omit<EngineSettings, 'signal'> {
  probeSource: string;
  nowEpochMs: () => number;
}

/** Chrome as the engines for browsers know it. Throws an AppError when it does not start. */
export async function launchChrome(options: LaunchChromeOptions, signal?: AbortSignal): Promise<RunningBrowser> {
  const { probeSource } = options;
  const browser = await launchBrowser({ ...options, answerWithinMs: readAnswerLimit(options.pageLoad) }, signal);
  // A context that is kept keeps its connections.
  const usedConnections = new Set<string>();
  const createContext = async () => (await browser.session.send('Target.createBrowserContext', {})).browserContextId;
  return {
    version: browser.version,
    processId: browser.processId,
    gone: browser.gone,
    createContext,
    warmUp: async () => {
      const page = await openPage(browser, {
        ...options,
        contextId: await createContext(),
        isContextKept: false,
        usedConnections: new Set(),
      });
      await page[Symbol.asyncDispose]();
    },
    openPage: async (place) => {
      const page = await openPage(browser, {
        ...options,
        ...place,
        usedConnections: place.isContextKept ? usedConnections : new Set(),
      });
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
        setViewport: async (viewport) => {
          await setViewport(page.main, viewport);
          page.viewport = viewport;
        },
        ask: async (expression, asking) =>
          unlessAborted(
            findMainWorld(page).then((world) => evaluateIn(world, expression)),
            asking,
          ),
        input: makeInput(page.main),
        lost: page.lost,
        navigate: (order) => navigate(page, order),
        findMissedEvents: (looking) => findMissedEvents(page, { nowEpochMs: options.nowEpochMs, signal: looking }),
        get hintedUrls() {
          return page.recorder.hints.urls;
        },
        areFramesIdle: (idle) => areFramesIdle(page, idle),
        hasMark: (names, asking) => hasMark(page, { names, signal: asking }),
        captureViewport: (quality) =>
          captureViewport(page, { quality, deviceScaleRatio: options.browser.deviceScaleRatio }),
        film: page.film,
        collectFrames: (collecting) => collectFrames(page, { probeSource, signal: collecting }),
        [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}
