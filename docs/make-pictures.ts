import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { findChrome } from '#tests/browser/support/find-chrome.ts';

/**
 * Takes the pictures of the README and of Help from a running web UI: start `./http-ae demo`, then `node docs/make-pictures.ts LINK`, with the link that it
 * prints at its end. One is the Comparison; the other moves from its answer to why, and to the two Visits that show it.
 */
const link = process.argv[2];
if (!link) throw new Error('Give the link that ./http-ae demo prints at its end');

const folder = path.join(import.meta.dirname, 'pictures');
/** Of a file that a README shows. */
const movingWidthPx = 960;
const [stillMs, stepMs] = [3500, 200];
const keysAFrame = 15;

const browser = await chromium.launch({
  executablePath: findChrome(),
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    deviceScaleFactor: 1,
  });
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/comparison');
  await page.locator('canvas:visible').first().waitFor();
  const answer = await shoot(page);
  await sharp(answer)
    .png({ palette: true, quality: 80, compressionLevel: 9 })
    .toFile(path.join(folder, 'comparison.png'));

  const frames = [{ picture: answer, ms: stillMs }];
  await page.getByRole('link', { name: 'Why', exact: true }).click();
  frames.push({ picture: await shoot(page), ms: stillMs });
  const films = page.locator('summary').filter({ hasText: /^Films of / });
  await films.click();
  frames.push(...(await filmFrames(page)));
  const scaled = await Promise.all(frames.map(({ picture }) => sharp(picture).resize(movingWidthPx).png().toBuffer()));
  await sharp(scaled, { join: { animated: true } })
    .gif({ delay: frames.map(({ ms }) => ms), loop: 0, colours: 64, dither: 0 })
    .toFile(path.join(folder, 'from-answer-to-why.gif'));
} finally {
  await browser.close();
}

/** Charts draw themselves in over some frames; a picture is of their end. */
async function shoot(page: Page): Promise<Buffer> {
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === 'finished'));
  return page.screenshot({ animations: 'disabled' });
}

/** The films of both Scenarios, moved along. */
async function filmFrames(page: Page): Promise<{ picture: Buffer; ms: number }[]> {
  const slider = page.getByRole('slider').first();
  await slider.waitFor();
  await page.getByRole('img', { name: /^Chart of Visual progress/ }).waitFor();
  await slider.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await slider.focus();
  await page.keyboard.press('Home');
  const frames: { picture: Buffer; ms: number }[] = [];
  const end = Number(await slider.getAttribute('aria-valuemax'));
  while (frames.length < 60 && Number(await slider.getAttribute('aria-valuenow')) < end) {
    for (let key = 0; key < keysAFrame; key++) await page.keyboard.press('ArrowRight');
    frames.push({ picture: await shoot(page), ms: stepMs });
  }
  return frames;
}
