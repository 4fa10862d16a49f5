import { existsSync } from 'node:fs';

const usualPlaces = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** The Firefox of these tests: the one that the launcher found, else the system's. */
export function findFirefox(): string {
  const found = process.env.HTTP_AE_FIREFOX ?? usualPlaces.find((place) => existsSync(place));
  if (!found)
    throw new Error(
      `These tests need Firefox: none is in ${usualPlaces.join(', ')}; install firefox-esr, or name one in HTTP_AE_FIREFOX`,
    );
  return found;
}

/** Said by `./http-ae test` where no Firefox can be had, which it tells. */
export const isFirefoxLeftOut = process.env.HTTP_AE_TEST_WITHOUT_FIREFOX === '1';
