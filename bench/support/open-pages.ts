import type { Pool } from 'pg';
import { launch } from 'puppeteer-core';
import { issueTicket } from '#controller/people/sign-in-tickets.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { postJson } from '#tests/support/controller.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** A page of the web UI, and what is there once it is open. */
export interface OpenedPage {
  path: string;
  selector: string;
}

/** Opens pages of the web UI in Chromium as somebody who is signed in and has opened the first page before; how long each takes, in ms. `shots`: a folder for pictures of them. */
export async function openPages(
  pages: Record<string, OpenedPage>,
  { pool, url, shots }: { pool: Pool; url: string; shots: string | undefined },
): Promise<Record<string, number>> {
  const answer = await fetch(`${url}/api/sign-in/ticket`, postJson({ ticket: await issueTicket(pool) }));
  const [name, value] = answer.headers.getSetCookie()[0]!.split(';')[0]!.split('=') as [string, string];
  await using profile = await makeTemporaryFolder('http-ae-bench-');
  const browser = await launch({
    executablePath: findChrome(),
    userDataDir: profile.path,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    await browser.setCookie({ name, value, domain: new URL(url).hostname });
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(url);
    await page.waitForSelector('h1');
    const times: Record<string, number> = {};
    for (const [what, { path, selector }] of Object.entries(pages)) {
      await page.goto('about:blank');
      const startMs = performance.now();
      await page.goto(url + path, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector(selector, { timeout: 60_000 });
      times[what] = Math.round(performance.now() - startMs);
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/${what.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
    }
    return times;
  } finally {
    await browser.close();
  }
}
