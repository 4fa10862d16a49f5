import browser from 'webextension-polyfill';

const everyMs = 20_000;

/**
 * Keeps the background alive while it has work: a browser ends a background that has called nothing of the extension interface for 30 s.
 * https://developer.chrome.com/docs/extensions/develop/concepts/service-workers/lifecycle, and Firefox's event pages do the same.
 */
export function keepAwake(isNeeded: () => boolean): void {
  setInterval(() => {
    if (isNeeded())
      browser.runtime
        .getPlatformInfo()
        .catch((error: unknown) => console.error('Failed to keep the background awake', error));
  }, everyMs);
}
