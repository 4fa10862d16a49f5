import { launch } from 'puppeteer-core';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { findFirefox } from '#tests/browser/support/find-firefox.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

export type EvaluatorBrowser = 'chrome' | 'firefox';

/** A person at the web UI, who finds things by their roles and names, as a screen reader does. */
export interface Evaluator extends AsyncDisposable {
  press(role: string, name: string): Promise<void>;
  /** The first element that the selector of CSS finds. */
  pressFirst(selector: string): Promise<void>;
  /** The field with that label. */
  fill(label: string, text: string): Promise<void>;
  /** Waits until it is there. */
  see(role: string, name: string): Promise<void>;
  seeText(text: string): Promise<void>;
  /** Waits until there is no such element, as of a dialog that fades out. */
  seeNoMore(selector: string): Promise<void>;
  /** The text of the first element that the selector of CSS finds, once there is one. */
  read(selector: string): Promise<string>;
  /** Errors that the page threw since it was opened. */
  complaints: string[];
}

/** Generous: a Run takes place meanwhile. */
const withinMs = 120_000;
const closeWithinMs = 10_000;

/** By WebDriver BiDi or DevTools: what drives the browser of the other e2e tests needs a Firefox that is newer than the one of long support. */
export async function openEvaluator(browser: EvaluatorBrowser, address: string): Promise<Evaluator> {
  const executablePath = browser === 'chrome' ? findChrome() : findFirefox();
  const profile = await makeTemporaryFolder();
  const running = await launch({
    browser,
    executablePath,
    userDataDir: profile.path,
    headless: true,
    args: browser === 'chrome' ? ['--no-sandbox', '--disable-background-networking'] : [],
  });
  const complaints: string[] = [];
  const page = await running.newPage();
  page.on('pageerror', (error) => {
    // The driver's own scripts in Firefox: the web UI has no eval, which Chromium would complain of in all other e2e tests.
    if (!String(error).includes('blocked a JavaScript eval')) complaints.push(String(error));
  });
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(address);
  const find = (role: string, name: string) =>
    page.locator(`::-p-aria([role="${role}"][name="${name}"])`).setTimeout(withinMs);
  return {
    press: (role, name) => find(role, name).click(),
    pressFirst: (selector) => page.locator(selector).setTimeout(withinMs).click(),
    fill: (label, text) =>
      page
        .locator(`::-p-xpath(//*[@id = //label[normalize-space() = "${label}"]/@for or @aria-label = "${label}"])`)
        .setTimeout(withinMs)
        .fill(text),
    see: async (role, name) => {
      await find(role, name).wait();
    },
    seeText: async (text) => {
      await page.locator(`::-p-text(${text})`).setTimeout(withinMs).wait();
    },
    seeNoMore: async (selector) => {
      await page.waitForSelector(selector, { hidden: true, timeout: withinMs });
    },
    read: (selector) =>
      page
        .locator(selector)
        .setTimeout(withinMs)
        .map((element) => (element as HTMLElement).innerText)
        .wait(),
    complaints,
    [Symbol.asyncDispose]: async () => {
      // Firefox does not always answer to being closed: then it is ended, and its profile goes with the folder.
      const overdue = setTimeout(() => running.process()?.kill('SIGKILL'), closeWithinMs);
      try {
        await running.close();
      } finally {
        clearTimeout(overdue);
        await profile[Symbol.asyncDispose]();
      }
    },
  };
}
