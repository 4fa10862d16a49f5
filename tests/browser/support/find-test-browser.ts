import { existsSync } from 'node:fs';
import type { BrowserKind } from '#cli/browser-kinds.ts';
import { listBrowserPlaces } from '#cli/find-browser.ts';

/** The browser that `./http-ae test` found and named in its variable, else the system's. Throws where there is none. */
export function findTestBrowser(kind: BrowserKind): string {
  const { name, variable, debianPackage } = kind;
  const { env: environment, platform } = process;
  const found =
    environment[variable] ?? listBrowserPlaces(kind, { environment, platform }).find((place) => existsSync(place));
  if (!found)
    throw new Error(`${name} is missing: install it (Debian: ${debianPackage}), or set ${variable} to its path`);
  return found;
}
