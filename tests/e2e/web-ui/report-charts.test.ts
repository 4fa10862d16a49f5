import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type WebUi } from '#tests/support/web-ui.ts';
import { hostile, openReportedRun } from './support/reported-run.ts';

let ui: WebUi;
let runId: string;
beforeAll(async () => {
  ({ ui, runId } = await openReportedRun());
});
afterAll(() => ui[Symbol.asyncDispose]());
afterEach(() => expect(ui.complaints).toEqual([]));

async function save(page: Page, kind: 'SVG' | 'PNG' | 'CSV'): Promise<Download> {
  const download = page.waitForEvent('download');
  await page
    .getByRole('figure', { name: 'Reduction of latency vs direct' })
    .getByRole('button', { name: 'Save' })
    .click();
  await page.getByRole('menuitem', { name: kind }).click();
  return download;
}

test('a chart is taken away as SVG, PNG and CSV, and no name in it is markup', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  const svg = await readFile(await (await save(page, 'SVG')).path());
  expect((await sharp(svg).metadata()).width).toBe(960);
  expect(svg.toString()).not.toContain('<img');
  expect(svg.toString()).toContain('&lt;img src=x');
  expect(await sharp(await (await save(page, 'PNG')).path()).metadata()).toMatchObject({ format: 'png', width: 2880 });
  const csv = await readFile(await (await save(page, 'CSV')).path(), 'utf8');
  expect(csv.split('\r\n')[0]).toBe(
    'Metric,Scenario,Reduction (%),low (%),high (%),Blocks,p,"p, corrected",Difference (ms),low (ms),high (ms),reason if absent',
  );
});

test('a chart has its data beside it', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  // A panel for each Scenario, a line for each User Agent: they are of different classes.
  const figure = page.getByRole('figure', { name: /^Total page load latency by images: direct/ });
  await figure.getByRole('button', { name: 'Data' }).click();
  // The third page of the first: 3 times 1000 ms, and the mean of the Blocks' 7 ms more each.
  const row = figure.getByRole('row').nth(3);
  expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(/^alice 3 3 017\.5 /);
});

test('a URL opens the distribution of its Visits and the Visits, at an address of their own', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page
    .getByRole('table', { name: 'Latency by URL and Scenario' })
    .getByRole('button', { name: 'http://origin.test/images/2' })
    .click();
  await page.getByRole('img', { name: 'Chart of Distribution of the Visits of http://origin.test/images/2' }).waitFor();
  // It stands below the fold: it comes into sight, with the focus, and not below the header.
  const heading = page.getByRole('heading', { name: 'http://origin.test/images/2' });
  expect(
    await heading.evaluate((element) => element === document.activeElement && element.getBoundingClientRect().top),
  ).toBeGreaterThan(54);
  expect(await heading.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(200);

  await page.reload();
  await heading.waitFor();
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'BODY']);
  const visits = page.getByRole('table', { name: 'Visits' });
  await visits.getByRole('row').nth(8).waitFor();
  await expect.poll(() => visits.getByRole('row').count()).toBe(9);
  await page.getByRole('radiogroup', { name: 'Scenario of the Visits' }).getByText(hostile).click();
  await visits.getByRole('cell', { name: /^1\s207\sms$/ }).waitFor();
  expect(await visits.getByRole('link', { name: 'Visit in Block 1 by alice' }).getAttribute('href')).toMatch(
    new RegExp(`^/runs/${runId}/visits/[0-9a-f-]{36}$`),
  );
});

test('each URL has its reduction against the baseline, in the table of all and in full where it is open; a single User Agent’s has none', async () => {
  const page = await ui.open({
    path: `/runs/${runId}/comparison?url=${encodeURIComponent('http://origin.test/images/2')}`,
  });
  const table = page.getByRole('table', { name: 'Latency by URL and Scenario' });
  const words = async (row: ReturnType<Page['getByRole']>) => (await row.innerText()).replace(/\s+/g, ' ');
  // 600 in place of 1000, and 7 ms more in each Block of both.
  expect(await words(table.getByRole('row', { name: /images\/2/ }))).toMatch(
    /^http\S+ 2 218 ms ± \d+ 40 % less \(39 to 40 %\) 1 338 ms ± \d+$/,
  );
  const own = page.getByRole('table', { name: 'The URL by Scenario' });
  expect(await words(own.getByRole('row', { name: /40 %/ }))).toMatch(
    / 1 338 ms ± \d+ 40 % less 39 to 40 % 4 < 0\.001$/,
  );
  await own
    .getByRole('row', { name: /^direct/ })
    .getByLabel('absent: The others are compared with the baseline.')
    .waitFor();

  await page.getByLabel('User Agent', { exact: true }).selectOption('bob');
  await own.waitFor({ state: 'detached' });
  expect(await table.innerText()).not.toContain('40 %');
});

test('a Scenario’s reduction stands beside what it comes to in ms, and the page says of which means each is', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  const scenarios = page.getByRole('region', { name: 'Scenarios' });
  // A mean of 4 400 ms in place of 2 640, over both User Agents and 1, 2, 3 times.
  expect((await scenarios.getByRole('row', { name: /40 %/ }).innerText()).replace(/\s+/g, ' ')).toMatch(
    / 40 % less 39 to 40 % 880 ms less 880 to 880 ms /,
  );
  await scenarios.getByText('What these numbers are').click();
  await scenarios.getByText(/The means and their difference in ms are arithmetic/).waitFor();
});
