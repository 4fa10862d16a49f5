import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { storePictures } from './support/store-visits.ts';

const url = 'http://origin.test/images/2';
const ui = useWebUi();
let stored: Awaited<ReturnType<typeof storeCompletedRun>>;
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const pictures = await storePictures(ui, { uploaded: 3 });
  stored = await storeCompletedRun(pool, {
    // The proxy is faster, and its Visits lack what only the direct ones have.
    totalMsOf: ({ block, scenario }) => (scenario === 'proxy' ? 500 : 1000) + 10 * block,
    snapshotOf: (page) => makePageSnapshot(page, page.totalMs < 900 ? 8 : 10),
    filmstripOf: ({ frames }) => ({
      kind: 'kept',
      leftOut: 0,
      isLastLate: false,
      frames: pictures.map(({ sha256, bytes }, index) => ({
        sha256,
        bytes,
        shownEpochMs: frames[0]!.timeOrigin + [0, 200, 480][index]!,
        progressRatio: [0, 0.5, 1][index]!,
      })),
    }),
  });
  for (const passId of new Set(stored.visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured() });
});

test('one click from a page of the Comparison: the median Visits of both Scenarios, on one clock', async () => {
  const page = await ui.open({ path: `/runs/${stored.runId}/comparison?url=${encodeURIComponent(url)}` });
  // Half of the viewport at 200 ms, the rest at 480 ms: (200 + 480) / 2.
  await page.getByText(/^Rendering: /).click();
  const rendering = page.getByRole('table', { name: 'Rendering by Scenario' });
  const speedIndex = rendering.getByRole('row', { name: /^Speed Index/ });
  await speedIndex.waitFor();
  expect((await speedIndex.innerText()).replace(/\s+/g, ' ')).toBe('Speed Index 340 ± 0 ms 340 ± 0 ms 0 % (0 to 0 %)');
  await page.getByRole('link', { name: 'Median Visits of direct and proxy side by side' }).click();
  await page.getByRole('heading', { level: 1, name: 'origin.test/images/2' }).waitFor();
  // The address keeps the pair.
  await page.waitForURL(/visits\/compare\?first=[0-9a-f-]{36}&second=[0-9a-f-]{36}/);

  const requests = page.getByRole('table', { name: 'Requests of both Visits' });
  await requests.waitFor();
  await expect.poll(() => requests.locator('tbody tr').count()).toBe(11);
  await expect.poll(() => requests.getByRole('cell', { name: 'only direct' }).count()).toBe(2);
  await page.getByText('11 requests, 2 in one Visit only').waitFor();
  await expect.poll(() => page.getByRole('group', { name: 'Filmstrip' }).count()).toBe(2);
  await expect
    .poll(() => requests.getByRole('img', { name: /^Throughput of the User Agent during this Visit/ }).count())
    .toBe(2);
  const readings = page.getByRole('table', { name: 'Readings of both Visits' });
  expect((await readings.getByRole('row', { name: /^Difference/ }).innerText()).replace(/\s+/g, ' ')).toMatch(
    /−500 ms −50 %/,
  );
  // Moments of both strips are on one axis: the same time is at the same place.
  const places = await page
    .getByRole('group', { name: 'Filmstrip' })
    .evaluateAll((films) =>
      films.map((film) => [...film.querySelectorAll('circle')].map((mark) => mark.getAttribute('cx'))),
    );
  expect(places[0]).toHaveLength(3);
  expect(places[0]).toEqual(places[1]);
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('the keys ← and → go through the Blocks, and a link shows the same Visits', async () => {
  const search = new URLSearchParams({ url, scenario: 'direct', with: 'proxy', userAgent: 'alice' });
  const page = await ui.open({ path: `/runs/${stored.runId}/visits/compare?${search.toString()}` });
  const chosen = page
    .getByRole('textbox', { name: 'The two Visits' })
    .or(page.getByRole('combobox', { name: 'The two Visits' }));
  await page.getByText('2 pairs').waitFor();
  await page.getByRole('button', { name: /^← / }).waitFor();
  const before = page.url();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL((address) => address.href !== before);
  expect(await chosen.first().inputValue()).toMatch(/^Block \d: 1\u202F0\d0\u00A0ms and 5\d0\u00A0ms$/);
  const shared = await ui.open({ path: new URL(page.url()).pathname + new URL(page.url()).search });
  await shared.getByRole('table', { name: 'Requests of both Visits' }).waitFor();
  expect(await shared.getByRole('link', { name: 'This Visit alone' }).first().getAttribute('href')).toBe(
    await page.getByRole('link', { name: 'This Visit alone' }).first().getAttribute('href'),
  );
});

test('a Visit leads to itself beside the one of its Block under another Scenario; a wrong address says what is missing', async () => {
  const visit = stored.visits.findLast((each) => each.url === url)!;
  const page = await ui.open({ path: `/runs/${stored.runId}/visits/${visit.id}` });
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await page.getByRole('menuitem').first().click();
  await page.waitForURL(new RegExp(`visits/compare\\?first=${visit.id}&second=`));
  await page.getByRole('table', { name: 'Requests of both Visits' }).waitFor();

  await page.goto(`${ui.controller.controller.url}/runs/${stored.runId}/visits/compare`);
  await page.getByText('The address names no Visits.').waitFor();
  await page.goto(`${ui.controller.controller.url}/runs/${stored.runId}/visits/compare?first=x&second=y`);
  await page.getByText('The first Visit cannot be shown').waitFor();
});

test('both films play on one clock, and are saved as one video', async () => {
  const search = new URLSearchParams({ url, scenario: 'direct', with: 'proxy' });
  const page = await ui.open({ path: `/runs/${stored.runId}/visits/compare?${search.toString()}` });
  const films = page.getByRole('group', { name: 'Films' });
  await films.getByRole('img', { name: 'Viewport at 0.0\u00A0ms' }).first().waitFor();
  await films.getByRole('button', { name: 'Play' }).click();
  // The proxy's load is over before that of the direct one.
  await films.getByText(/^base \d+\u00A0ms {3}viewport \d+\u00A0ms {3}total 5\d0\u00A0ms$/).waitFor();
  await films.getByText(/total 1\u202F0\d0\u00A0ms$/).waitFor();
  await films.getByRole('button', { name: 'Play' }).waitFor();

  await films.getByRole('slider', { name: 'Time in the films' }).focus();
  await page.keyboard.press('Home');
  await films.getByRole('img', { name: 'Viewport at 0.0\u00A0ms' }).first().waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    films.getByRole('button', { name: 'Save as video' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('direct-and-proxy.webm');
  const video = await readFile(await download.path());
  // EBML, which WebM is written in.
  expect(video.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
  expect(video.includes('webm')).toBe(true);
  expect(await findMiddleColours(page.context().browser()!, video)).toEqual({ first: 'seagreen', second: 'seagreen' });
});

test('films lie over one another, their progress is drawn, and rows that do not differ can be left out', async () => {
  const search = new URLSearchParams({ url, scenario: 'direct', with: 'proxy' });
  const page = await ui.open({ path: `/runs/${stored.runId}/visits/compare?${search.toString()}` });
  const films = page.getByRole('group', { name: 'Films' });
  await films.getByText('Wipe', { exact: true }).click();
  const edge = films.getByRole('slider', { name: 'Where the second film begins' });
  await edge.focus();
  await page.keyboard.press('End');
  expect(await edge.getAttribute('aria-valuenow')).toBe('100');
  // The key is that of the slider, and leads to no other Visits.
  const shown = page.url();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  expect(await edge.getAttribute('aria-valuenow')).toBe('100');
  expect(page.url()).toBe(shown);
  await films.getByRole('img', { name: /^Viewport of direct at / }).waitFor();
  await films.getByRole('img', { name: /^Viewport of proxy at / }).waitFor();
  await films.getByText('Blend', { exact: true }).click();
  await films.getByRole('slider', { name: 'How much of the second film is seen' }).waitFor();
  await page.getByRole('figure', { name: `Visual progress of ${url}` }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  const requests = page.getByRole('table', { name: 'Requests of both Visits' });
  await expect.poll(() => requests.locator('tbody tr').count()).toBe(11);
  await page.getByLabel('Only what differs').check();
  await expect.poll(() => requests.locator('tbody tr').count()).toBe(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('where only the warm-up Block was filmed, its films are shown, and said to be no part of the figures', async () => {
  const { pool } = ui.controller.database;
  const artefacts = { har: false, screenshot: false, filmstrip: 'warm-up', mainThread: false } as const;
  const { visits, runId } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ artefacts }),
    filmstripOf: ({ frames }) => ({
      kind: 'kept',
      leftOut: 0,
      isLastLate: false,
      frames: [{ sha256: 'a'.repeat(64), bytes: 9, shownEpochMs: frames[0]!.timeOrigin }],
    }),
  });
  await pool.query(
    `update visit set filmstrip = null from pass join round on round.id = pass.round_id
     where pass.id = visit.pass_id and run_id = $1 and not warm_up`,
    [runId],
  );
  const search = new URLSearchParams({ url, scenario: 'direct', with: 'proxy' });
  const page = await ui.open({ path: `/runs/${runId}/visits/compare?${search.toString()}` });
  await page.getByText('From the warm-up Block, which no figure includes.').waitFor();
  await page.getByRole('group', { name: 'Films' }).getByRole('button', { name: 'Play' }).waitFor();
  const counted = visits.findLast((visit) => visit.url === url)!;
  await page.goto(`${ui.controller.controller.url}/runs/${runId}/visits/${counted.id}`);
  await page.getByText('No film: only the warm-up Block is filmed, which no figure includes.').waitFor();
});

/** What a browser shows at the end of the video, in the middle of either film. */
async function findMiddleColours(browser: Browser, video: Buffer): Promise<{ first: string; second: string }> {
  await using page = await browser.newPage();
  const colours = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const element = document.createElement('video');
    element.muted = true;
    element.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
    const ended = new Promise((resolve, reject) => {
      element.onended = resolve;
      element.onerror = () => reject(new Error(element.error?.message ?? 'no video'));
    });
    await element.play();
    await ended;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [element.videoWidth, element.videoHeight];
    const context = canvas.getContext('2d')!;
    context.drawImage(element, 0, 0);
    return [0.25, 0.75].map((share) => [
      ...context.getImageData(Math.round(share * canvas.width), Math.round(canvas.height / 2), 1, 1).data.slice(0, 3),
    ]);
  }, video.toString('base64'));
  const nameOf = ([red, green, blue]: number[]) =>
    Math.abs(red! - 46) < 16 && Math.abs(green! - 139) < 16 && Math.abs(blue! - 87) < 16
      ? 'seagreen'
      : `rgb(${red},${green},${blue})`;
  return { first: nameOf(colours[0]!), second: nameOf(colours[1]!) };
}
