import { existsSync } from 'node:fs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of these tests: the one that the launcher found, else the system's. */
export function findChrome(): string {
  const found = process.env.HTTP_AE_CHROME ?? usualPlaces.find((place) => existsSync(place));
  if (!found)
    throw new Error(`These tests need a browser: none is in ${usualPlaces.join(', ')}; name one in HTTP_AE_CHROME`);
  return found;
}
