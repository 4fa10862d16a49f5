import { Browser } from '@puppeteer/browsers';

/** A browser that engines run, and the ways to come by it. */
export interface BrowserKind {
  /** As people call it. */
  name: string;
  /** The variable, and the option of `agent`, that name it. */
  variable: 'HTTP_AE_CHROME' | 'HTTP_AE_FIREFOX';
  option: '--chrome' | '--firefox';
  /** What it is called on the PATH, the best first. */
  programs: readonly string[];
  macApplications: readonly string[];
  /** What `--version` says. */
  version: RegExp;
  puppeteerName: Browser.CHROME | Browser.FIREFOX;
  debianPackage: string;
}

export const chromeKind: BrowserKind = {
  name: 'Chromium or Chrome',
  variable: 'HTTP_AE_CHROME',
  option: '--chrome',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  macApplications: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  version: /chrom/i,
  puppeteerName: Browser.CHROME,
  debianPackage: 'chromium',
};

export const firefoxKind: BrowserKind = {
  name: 'Firefox',
  variable: 'HTTP_AE_FIREFOX',
  option: '--firefox',
  programs: ['firefox-esr', 'firefox'],
  macApplications: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  version: /Mozilla Firefox/i,
  puppeteerName: Browser.FIREFOX,
  debianPackage: 'firefox-esr',
};
