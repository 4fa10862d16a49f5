import path from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { findChrome } from '#tests/browser/support/find-chrome.ts';

/**
 * Takes the pictures of the README from a running web UI: start `./http-ae demo`, then
 * `node docs/make-pictures.ts LINK`, with the link that it prints at its end.
 */
const link = process.argv[2];
if (!link) throw new Error('Give the link that ./http-ae demo prints at its end');

const browser = await chromium.launch({
  executablePath: findChrome(),
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 1500 },
    colorScheme: 'light',
    deviceScaleFactor: 1,
  });
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/comparison');
  await page.locator('canvas').first().waitFor();
  // The chart draws itself in over some frames; the picture is of its end.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === 'finished'));
  const picture = await page.screenshot({ animations: 'disabled' });
  await sharp(picture)
    .png({ palette: true, quality: 80, compressionLevel: 9 })
    .toFile(path.join(import.meta.dirname, 'pictures', 'comparison.png'));
} finally {
  await browser.close();
}
