import browser from 'webextension-polyfill';
import { listClockScripts } from '../../clock-scripts.ts';

const id = 'replayed-page';

/**
 * Has every document that the browser loads from now on run the script of replayed pages first, in the page's own world, until disposed of. Browsers let no script be limited to one tab.
 * Workers have their own clock and random numbers.
 */
export async function shiftClock(shiftMs: number): Promise<AsyncDisposable> {
  await endShift();
  await browser.scripting.registerContentScripts([
    {
      id,
      js: listClockScripts(shiftMs),
      matches: ['<all_urls>'],
      allFrames: true,
      matchOriginAsFallback: true,
      runAt: 'document_start',
      world: 'MAIN',
      persistAcrossSessions: false,
    },
  ]);
  return { [Symbol.asyncDispose]: endShift };
}

/** Also of a shift that a background which died has left: the browser keeps it for all pages until it ends. */
export async function endShift(): Promise<void> {
  const scripts = await browser.scripting.getRegisteredContentScripts({ ids: [id] });
  if (scripts.length > 0) await browser.scripting.unregisterContentScripts({ ids: [id] });
}
