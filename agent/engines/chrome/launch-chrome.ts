import { gaveFile } from '#core/agent/page-activity/activity-event.ts';
import { isNamedKey, type JourneyKey, type NamedKey } from '#core/evaluation/journey/journey-step.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { EngineSettings, EngineLog } from '../engine.ts';
import { readAnswerLimit, type RunningBrowser } from '../browser/browser-session.ts';
import { areFramesIdle, collectFrames, findMissedEvents, hasMark } from './collect-chrome-frames.ts';
import { evaluateIn, findMainWorld } from './frame-worlds.ts';
import { launchBrowser } from './launch-browser.ts';
import { openPage, setViewport, type ChromePage } from './open-chrome-page.ts';
import { describeNavigationFailure, requireWebAddress } from '../browser/navigation-failure.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import type { CDPSession } from 'puppeteer-core';
import type { PageInput } from '../browser/browser-page.ts';

/** A key as Chrome is to see it. https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchKeyEvent */
interface DescribedKey {
  key: string;
  code?: string;
  windowsVirtualKeyCode: number;
  /** What it writes; left out for a key that writes nothing. */
  text?: string;
}

const codes: Record<NamedKey, number> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};

/** Keys of a US keyboard by the characters that they write, without and with Shift: the code is that of the key. */
const characterCodes = new Map<string, number>([
  [' ', 32],
  ...Array.from(')!@#$%^&*(', (character, digit): [string, number] => [character, 48 + digit]),
  ...([';:', '=+', ',<', '-_', '.>', '/?', '`~'] as const).flatMap(codesFrom(186)),
  ...(['[{', '\\|', ']}', `'"`] as const).flatMap(codesFrom(219)),
]);

const longestSidePx = 1600;

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
        recordsMainThread: false,
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
        runAhead: (script) => page.runAhead(script),
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
        mainThread: page.mainThread,
        collectFrames: (collecting) => collectFrames(page, { probeSource, signal: collecting }),
        [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

/** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
async function navigate(page: ChromePage, { url, signal }: { url: string; signal: AbortSignal }): Promise<void> {
  requireWebAddress(url);
  const { errorText, isDownload } = await unlessAborted(page.main.send('Page.navigate', { url }), signal);
  if (!errorText) return;
  if (isDownload) throw new VisitFailure('unsupported-content', gaveFile);
  throw describeNavigationFailure(errorText, page.recorder.mainDocument);
}

/** What the viewport shows now, as a JPEG; large viewports and fine screens are scaled down. `quality`: in percent. */
async function captureViewport(
  { main, viewport: { widthPx, heightPx } }: ChromePage,
  { quality, deviceScaleRatio = 1 }: { quality: number; deviceScaleRatio?: number | undefined },
): Promise<Buffer> {
  const { cssVisualViewport } = await main.send('Page.getLayoutMetrics');
  const scale = Math.min(1, longestSidePx / widthPx, longestSidePx / heightPx) / deviceScaleRatio;
  const clip = { x: cssVisualViewport.pageX, y: cssVisualViewport.pageY, width: widthPx, height: heightPx, scale };
  const { data } = await main.send('Page.captureScreenshot', { format: 'jpeg', quality, clip });
  return Buffer.from(data, 'base64');
}

/** Mouse and keyboard of a tab. */
function makeInput(session: CDPSession): PageInput {
  const press = async (key: JourneyKey) => {
    const described = describeKey(key);
    // A character that no key of a US keyboard writes comes as from an input method.
    if (!described) await session.send('Input.insertText', { text: key });
    else
      await session.send('Input.dispatchKeyEvent', {
        type: described.text === undefined ? 'rawKeyDown' : 'keyDown',
        ...described,
      });
  };
  const release = async (key: JourneyKey) => {
    const described = describeKey(key);
    if (!described) return;
    await session.send('Input.dispatchKeyEvent', { ...described, type: 'keyUp', text: '' });
  };
  return {
    click: async ({ x, y }) => {
      const button = { x, y, button: 'left', clickCount: 1 } as const;
      await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
      await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button });
      await session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
    },
    press,
    release,
    type: async (text) => {
      for (const character of text) {
        const key = character === '\n' ? 'Enter' : character;
        await press(key);
        await release(key);
      }
    },
  };
}

function codesFrom(first: number): (pair: string, index: number) => [string, number][] {
  return (pair, index) => Array.from(pair, (character) => [character, first + index]);
}

/** Null for a character that no key writes. */
function describeKey(key: JourneyKey): DescribedKey | null {
  if (isNamedKey(key))
    return {
      key,
      code: key,
      windowsVirtualKeyCode: codes[key],
      // Without it, Enter sends no form.
      ...(key === 'Enter' && { text: '\r' }),
    };
  const code = /^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : characterCodes.get(key);
  return code === undefined ? null : { key, windowsVirtualKeyCode: code, text: key };
}
