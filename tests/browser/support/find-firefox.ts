import { firefoxKind } from '#cli/browser-kinds.ts';
import { findTestBrowser } from './find-test-browser.ts';

/** The Firefox of tests and benches. */
export function findFirefox(): string {
  return findTestBrowser(firefoxKind);
}

/** `./http-ae test` sets it where no Firefox can be had, and reports that. */
export const isFirefoxLeftOut = process.env.HTTP_AE_TEST_WITHOUT_FIREFOX === '1';
