import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import sharp from 'sharp';
import { packExtension } from '#agent/engines/extension/pack-extension.ts';
import { ExtensionLine } from '#agent/engines/extension/extension-line.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';

/** Takes the pictures of docs/extension.md from the extension itself, joined to a stand-in Controller: `node docs/make-extension-pictures.ts`. Build it first. */
const token = 'aet_1f0c5d5a';
const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-pictures-'));
const extension = path.join(folder, 'extension');
await using line = await ExtensionLine.open(token);
await packExtension('chrome', {
  enrolment: { controllerUrl: line.url, token, name: 'laptop of Ann' },
  folder: extension,
});

const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
  executablePath: findChrome(),
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    `--load-extension=${extension}`,
    `--disable-extensions-except=${extension}`,
  ],
  ignoreDefaultArgs: ['--disable-extensions'],
  viewport: { width: 760, height: 900 },
  colorScheme: 'light',
});
try {
  const id = await findExtensionId(context);
  const page = await context.newPage();
  await page.goto(`chrome-extension://${id}/options/options.html`);
  await page.getByText('Connected, idle').waitFor();
  await hideAddress(page, '#controller-url');
  await save(await page.screenshot({ fullPage: true }), 'extension-options.png');

  await page.setViewportSize({ width: 340, height: 180 });
  await page.goto(`chrome-extension://${id}/popup/popup.html`);
  await page.getByText('Connected, idle').waitFor();
  await page
    .locator('#agent')
    .evaluate((element) => (element.textContent = '“laptop of Ann” at https://controller.example/'));
  await save(await page.screenshot({ fullPage: true }), 'extension-popup.png');

  await page.setViewportSize({ width: 1100, height: 560 });
  await page.goto(`chrome://extensions/?id=${id}`);
  await page.getByText('Allow in Incognito').scrollIntoViewIfNeeded();
  // Not where it was loaded from.
  await save(await page.screenshot({ clip: { x: 296, y: 100, width: 684, height: 315 } }), 'extension-incognito.png');
} finally {
  await context.close();
  await rm(folder, { recursive: true, force: true });
}

async function findExtensionId(browser: BrowserContext): Promise<string> {
  const worker = browser.serviceWorkers()[0] ?? (await browser.waitForEvent('serviceworker'));
  return new URL(worker.url()).host;
}

/** The stand-in's port is of no interest. */
async function hideAddress(page: Page, selector: string): Promise<void> {
  await page.locator(selector).fill('https://controller.example');
  await page.locator(selector).blur();
}

async function save(picture: Buffer, name: string): Promise<void> {
  await sharp(picture)
    .png({ palette: true, quality: 80, compressionLevel: 9 })
    .toFile(path.join(import.meta.dirname, 'pictures', name));
}
