import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { failingUrl, manyUrl, storeVisits } from './support/store-visits.ts';

const ui = useWebUi();
let runId: string;
let visitOf: (url: string) => string;
beforeAll(async () => {
  ({ runId, visitOf } = await storeVisits(ui));
});

test('a Visit shows every request with its phases, what the viewport needed, and the throughput; strings of pages are no markup', async () => {
  const page = await ui.open({ path: `/runs/${runId}/visits/${visitOf('http://origin.test/images/1')}` });
  const requests = page.getByRole('table', { name: 'Requests' });
  await requests.waitFor();
  await expect.poll(() => requests.locator('tbody tr').count()).toBe(25);
  await expect.poll(() => requests.getByRole('img', { name: 'needed by the initial viewport' }).count()).toBe(5);
  // As the Reading "Viewport objects": the page itself is none.
  await page.getByText(/25\srequests; the viewport needs the page and 4\sobjects \(5\s◆\)/).waitFor();
  await requests.getByRole('row', { name: /3\.png\?%3Cb%3E=3 origin\.test 404 / }).waitFor();
  await page.getByRole('img', { name: /^Throughput of the User Agent during this Visit, in bins of 100 ms/ }).waitFor();

  // The time axis has most of the width, and one line shows the same time in all that shares it.
  const axis = (await requests.locator('[data-time-axis]').boundingBox())!;
  expect(axis.width).toBeGreaterThan(0.6 * (await requests.boundingBox())!.width);
  await page.mouse.move(axis.x + axis.width / 2, axis.y + 60);
  const numberIn = async (locator: Locator) => Number((await locator.innerText()).replace(/\D/g, ''));
  const moments = page.getByRole('list', { name: 'Moments' }).getByRole('listitem');
  const totalMs = await numberIn(moments.filter({ hasText: 'total' }));
  const lineMs = await numberIn(page.locator('[data-side]'));
  // The axis ends a little after the last moment.
  expect(Math.abs(lineMs - (1.02 * totalMs) / 2)).toBeLessThan(0.01 * totalMs);

  await requests.getByRole('button', { name: /(^| )1\.png\?/ }).click();
  await page.getByRole('dialog').getByText('192.0.2.7').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('radiogroup', { name: 'Lanes of the waterfall' }).getByText('Connections').click();
  await expect.poll(() => page.getByRole('table', { name: 'Connections' }).locator('tbody tr').count()).toBe(6);
});

test('a connection of which no size is known has a dash, never 0 B', async () => {
  const stored = await storeCompletedRun(ui.controller.database.pool, {
    snapshotOf: (page) => {
      const snapshot = makePageSnapshot(page, 6);
      return { ...snapshot, requests: snapshot.requests.map((request) => ({ ...request, receivedBytes: null })) };
    },
  });
  const page = await ui.open({ path: `/runs/${stored.runId}/visits/${stored.visits[0]!.id}` });
  await page.getByRole('radiogroup', { name: 'Lanes of the waterfall' }).getByText('Connections').click();
  const connections = page.getByRole('table', { name: 'Connections' });
  await expect.poll(() => connections.getByLabel('absent: The size on the connection is not known.').count()).toBe(6);
});

test('of a page of 2 000 requests only those in sight are in the document, and the last can be reached', async () => {
  const page = await ui.open({ path: `/runs/${runId}/visits/${visitOf(manyUrl)}` });
  const requests = page.getByRole('table', { name: 'Requests' });
  await requests.waitFor();
  expect(await requests.getAttribute('aria-rowcount')).toBe('2001');
  expect(await requests.locator('tbody tr').count()).toBeLessThan(200);
  await page
    .getByRole('region', { name: 'Requests on the time axis' })
    .evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await requests.getByRole('button', { name: /1998\.png/ }).waitFor();
});

test('a failed Visit says why, has no waterfall, and leads to its neighbours; a HAR is there where something was seen', async () => {
  const page = await ui.open({ path: `/runs/${runId}/visits/${visitOf(failingUrl)}` });
  await page.getByText('The Visit failed: timeout').waitFor();
  expect(await page.getByRole('table', { name: 'Requests' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'HAR' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Previous in the Pass' }).click();
  const har = page.getByRole('link', { name: 'HAR' });
  await har.waitFor();
  const answer = await page.request.get(new URL((await har.getAttribute('href'))!, page.url()).href);
  expect(answer.status()).toBe(200);
  expect(((await answer.json()) as { log: { entries: unknown[] } }).log.entries).toHaveLength(2000);
});

test('HARs of other programs are drawn below a Visit on one time axis, and a file that is none is refused with a sentence', async () => {
  const visitId = visitOf('http://origin.test/images/1');
  const page = await ui.open({ path: `/runs/${runId}/visits/${visitId}` });
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await page.getByRole('menuitem', { name: 'A HAR of another program' }).click();
  await page.waitForURL(`**/har?visit=${visitId}`);
  await page.getByRole('table', { name: 'Requests of Visit' }).waitFor();

  const exported = await page.request.get(new URL(`/api/visits/${visitId}/har`, page.url()).href);
  const mimeType = 'application/json';
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open HAR' }).click();
  await (
    await chooser
  ).setFiles([
    { name: 'own.har', mimeType, buffer: await exported.body() },
    { name: 'none.har', mimeType, buffer: Buffer.from('{"log": {}}') },
  ]);
  await page.getByText('none.har is no HAR: log.creator: is missing').waitFor();
  const opened = page.getByRole('table', { name: 'Requests of own.har' });
  await expect.poll(() => opened.locator('tbody tr').count()).toBe(25);
  const durations = (name: string) =>
    page.getByRole('table', { name }).locator('tbody tr td:nth-child(4)').allInnerTexts();
  expect(await durations('Requests of own.har')).toEqual(await durations('Requests of Visit'));
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close own.har' }).click();
  await opened.waitFor({ state: 'detached' });
});
