import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { storePictures, storeVisits } from './support/store-visits.ts';

const ui = useWebUi();
let runId: string;
let visitOf: (url: string) => string;
beforeAll(async () => {
  ({ runId, visitOf } = await storeVisits(ui));
});

test('a filmstrip stands over the time axis, each picture with its time, and is gone through by the keyboard', async () => {
  const { pool } = ui.controller.database;
  const pictures = await storePictures(ui, { uploaded: 2 });
  const stored = await storeCompletedRun(pool, {
    snapshotOf: (page) => makePageSnapshot(page, 6),
    filmstripOf: ({ frames }) => ({
      kind: 'kept',
      leftOut: 2,
      isLastLate: true,
      frames: pictures.map(({ sha256, bytes }, index) => ({
        sha256,
        bytes,
        shownEpochMs: frames[0]!.timeOrigin + [-8, 412.25, 1240][index]!,
      })),
    }),
  });
  const page = await ui.open({ path: `/runs/${stored.runId}/visits/${stored.visits[0]!.id}` });
  const film = page.getByRole('group', { name: 'Filmstrip' });
  await film
    .getByText(
      '3 Frames of the viewport, each from the moment it was shown. 2 more, shown for the shortest times, were not kept. The last was seen only at the end and may have appeared earlier.',
    )
    .waitFor();
  // A picture that is not there shows so once its request failed.
  await film.getByText('no picture').waitFor();
  const looks = film.getByRole('button');
  await expect.poll(() => looks.count()).toBe(3);
  expect(
    await looks
      .getByRole('img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('alt') ?? image.getAttribute('aria-label'))),
  ).toEqual([
    'Viewport at 0.0\u00A0ms',
    'Viewport at 412\u00A0ms',
    expect.stringMatching(/^Viewport by 1\u202F240\u00A0ms: no picture\. Its Agent has not uploaded it yet/),
  ]);
  expect(await film.getByRole('img', { name: /412/ }).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(
    400,
  );
  const lefts = await looks.evaluateAll((buttons) =>
    buttons.map((button) => button.getBoundingClientRect().left - button.parentElement!.getBoundingClientRect().left),
  );
  const widthPx = await film.evaluate((element) => element.getBoundingClientRect().width);
  // The axis ends with the last look.
  expect(lefts[1]! / widthPx).toBeCloseTo(412.25 / (1240 * 1.02), 2);

  await looks.nth(0).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Frame of the viewport' });
  await dialog.getByText('From 0.0\u00A0ms, for 412\u00A0ms; 1 of 3').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('img', { name: 'Viewport at 412\u00A0ms' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await dialog.getByText('Seen at 1\u202F240\u00A0ms, first shown then or earlier, until the end; 3 of 3').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  const player = page.getByRole('group', { name: 'Film', exact: true });
  await player.getByRole('button', { name: 'Play' }).click();
  await player.getByRole('img', { name: 'Viewport at 1\u202F240\u00A0ms: no picture' }).waitFor();
  await player.getByRole('button', { name: 'Play' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    player.getByRole('button', { name: 'Save as video' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^(direct|proxy)\.webm$/);
  expect((await readFile(await download.path())).includes('webm')).toBe(true);

  await page.goto(`${ui.controller.controller.url}/runs/${runId}/visits/${visitOf('http://origin.test/images/1')}`);
  await page.getByRole('table', { name: 'Requests' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await film.count()).toBe(0);
  expect(await player.count()).toBe(0);
});

test('a Visit can be left out of the statistics for a reason, is found as such, and can be let in again', async () => {
  const page = await ui.open({ path: `/runs/${runId}/visits?status=excluded` });
  await page.getByText('No matching Visits').waitFor();
  await page.goto(`${ui.controller.controller.url}/runs/${runId}/visits/${visitOf('http://origin.test/images/1')}`);
  await page.getByRole('button', { name: 'Exclude from the statistics' }).click();
  await page.getByLabel('Reason to exclude it').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('<b>the cable was out</b>');
  await page.getByRole('button', { name: 'Exclude', exact: true }).click();
  await page.getByText('<b>the cable was out</b>').waitFor();

  await page.getByRole('link', { name: /^← Visits of this URL/ }).click();
  await page.getByText(/^ok, .*excluded$/).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Include again' }).click();
  await page.getByLabel('Reason to include it').fill('it was in');
  await page.getByRole('button', { name: 'Include', exact: true }).click();
  await page.getByRole('button', { name: 'Exclude from the statistics' }).waitFor();
});
