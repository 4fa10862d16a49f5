import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as FitViewport from '#extension/background/stage/fit-viewport.ts';
import { playBrowser } from './support/played-browser.ts';

interface Size {
  width: number;
  height: number;
}

/** A window of a browser, whose page has so much less. `follows`: whether the window manager lets it have other sizes. */
class PlayedWindow {
  readonly chrome: Size = { width: 16, height: 88 };
  readonly screen: Size;
  readonly follows: boolean;
  zoom = 1;
  state = 'normal';
  #size: Size = { width: 516, height: 488 };
  readonly asked: object[] = [];

  constructor({ screen, follows = true }: { screen: Size; follows?: boolean }) {
    this.screen = screen;
    this.follows = follows;
  }

  get size(): Size {
    return this.state === 'maximized' ? this.screen : this.#size;
  }

  /** As Chrome, which refuses what does not fit. */
  update({ state, width = this.#size.width, height = this.#size.height }: Partial<Size> & { state?: string }): void {
    this.asked.push(state === undefined ? { width, height } : { state });
    if (state !== undefined) this.state = state;
    else if (width > this.screen.width || height > this.screen.height) throw new Error('Invalid value for bounds');
    else if (this.follows) this.#size = { width, height };
  }
}

let fit: typeof FitViewport;
let window: PlayedWindow;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'warn').mockReturnValue();
  await playBrowser({
    windows: {
      get: () => Promise.resolve(window.size),
      update: async (_id: number, change: object) => {
        await Promise.resolve();
        window.update(change);
      },
    },
    tabs: {
      get: () =>
        Promise.resolve({
          width: window.size.width - window.chrome.width,
          height: window.size.height - window.chrome.height,
        }),
      getZoom: () => Promise.resolve(window.zoom),
    },
  });
  fit = await import('#extension/background/stage/fit-viewport.ts');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function played<Result>(doing: Promise<Result>): Promise<Result> {
  await vi.runAllTimersAsync();
  return doing;
}
const place = { windowId: 1, tabId: 2 };
const viewport = (widthPx: number, heightPx: number) => ({ widthPx, heightPx });
const fitTo = (wanted: ReturnType<typeof viewport>) => played(fit.fitViewport({ ...place, viewport: wanted }));
const large = { screen: { width: 1920, height: 1080 } };

test('a window becomes so large that its page has the viewport, and stays where it has it', async () => {
  window = new PlayedWindow(large);
  expect(await fitTo(viewport(1366, 768))).toEqual(viewport(1366, 768));
  expect(window.asked).toEqual([{ width: 1382, height: 856 }]);
  expect(await fitTo(viewport(1366, 768))).toEqual(viewport(1366, 768));
  expect(window.asked).toHaveLength(1);
});

test('on a smaller screen it is as large as fits, in each direction by itself', async () => {
  window = new PlayedWindow({ screen: { width: 1920, height: 700 } });
  expect(await fitTo(viewport(1366, 768))).toEqual(viewport(1366, 612));
  expect(window.state).toBe('normal');
  window = new PlayedWindow({ screen: { width: 800, height: 1080 } });
  expect(await fitTo(viewport(1366, 768))).toEqual(viewport(784, 768));
});

test('a window that does not follow is given up after some tries', async () => {
  window = new PlayedWindow({ ...large, follows: false });
  expect(await fitTo(viewport(1366, 768))).toEqual(viewport(500, 400));
  expect(window.asked).toHaveLength(4);
});

test('the viewport is in CSS pixels, whatever zoom the person has', async () => {
  window = new PlayedWindow(large);
  window.zoom = 2;
  expect(await fit.readViewport(2)).toEqual(viewport(250, 200));
  window.zoom = 0.75;
  expect(await fit.readViewport(2)).toEqual(viewport(667, 533));
});

test('a screen that is too small is the reason for another viewport, a window manager is none', async () => {
  window = new PlayedWindow({ screen: { width: 1016, height: 788 } });
  const got = viewport(500, 400);
  const explain = (wanted: ReturnType<typeof viewport>) =>
    played(fit.explainSmallScreen({ ...place, viewport: got }, wanted));
  expect(await explain(got)).toBeNull();
  expect(window.asked).toEqual([]);
  expect(await explain(viewport(1000, 700))).toBeNull();
  for (const wanted of [viewport(1001, 700), viewport(1000, 701)])
    expect(await explain(wanted)).toBe(
      `the viewport of ${wanted.widthPx} × ${wanted.heightPx} pixels does not fit on this screen, whose largest window has 1000 × 700 pixels: set "viewport" to at most that`,
    );
  expect(window.state).toBe('normal');
});
