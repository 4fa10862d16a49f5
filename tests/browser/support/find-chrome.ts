import { chromeKind } from '#cli/browser-kinds.ts';
import { findTestBrowser } from './find-test-browser.ts';

/** The Chromium of tests and benches. */
export function findChrome(): string {
  return findTestBrowser(chromeKind);
}
