import type { Browser } from 'webextension-polyfill';

/** A browser whose part a test plays: what an extension asks of it, as far as the test gives it. */
export type PlayedBrowser = { [Part in keyof Browser]?: Partial<Record<keyof Browser[Part], unknown>> };

/**
 * Lets the modules of the extension that are imported from now on speak to this browser. `webextension-polyfill` takes the one that it finds when it is first loaded: it is filled with the parts of
 * each test.
 */
export async function playBrowser(parts: PlayedBrowser): Promise<void> {
  const runtime = { id: 'played' };
  Object.assign(globalThis, { chrome: { runtime }, browser: { runtime } });
  const { default: browser } = await import('webextension-polyfill');
  Reflect.deleteProperty(globalThis, 'chrome');
  Reflect.deleteProperty(globalThis, 'browser');
  for (const part of Object.keys(browser)) Reflect.deleteProperty(browser, part);
  Object.assign(browser, { runtime }, parts);
}
