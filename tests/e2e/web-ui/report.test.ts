import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Download, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { storeCapture } from '#controller/db/captures/captures.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { findFaultsInBothSchemes } from '#tests/support/find-accessibility-faults.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { startWebUi, type WebUi } from '#tests/support/web-ui.ts';

const hostile = '<img src=x onerror=alert(1)>';

let ui: WebUi;
let runId: string;
beforeAll(async () => {
  ui = await startWebUi();
  const { pool } = ui.controller.database;
  const user = (name: string, userClass: string) => ({ name, userClass, host: 'laptop', urlList: 'pages' });
  const evaluation = EvaluationSchema.parse({
    name: `Proxy or ${hostile}`,
    urlLists: { pages: [{ url: 'http://origin.test/images/{1..3}', variables: { images: '{1}' } }] },
    userAgents: [user('alice', 'gold'), user('bob', 'bronze')],
    scenarios: [
      { name: 'direct', baseline: true },
      {
        name: hostile,
        description: hostile,
        browser: { userAgentString: hostile },
        setUp: [{ host: 'laptop', script: `echo '${hostile}'\ntrue` }],
      },
    ],
    repetition: { rounds: 4 },
  });
  const stored = await storeCompletedRun(pool, {
    evaluation,
    totalMsOf: ({ scenario, userAgent, url, block }) =>
      (scenario === 'direct' ? 1000 : 600) * (userAgent === 'bob' ? 1.2 : 1) * Number(url.at(-1)) + 7 * block,
  });
  runId = stored.runId;
  for (const passId of new Set(stored.visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured() });
});
afterAll(() => ui[Symbol.asyncDispose]());
afterEach(() => expect(ui.complaints).toEqual([]));

/** A report draws many charts: a busy machine may take its time. */
async function open(options: Parameters<WebUi['open']>[0]): Promise<Page> {
  const page = await ui.open(options);
  page.setDefaultTimeout(90_000);
  return page;
}

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
  const page = await open({ path: `/runs/${runId}/comparison` });
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
  const page = await open({ path: `/runs/${runId}/comparison` });
  // A panel for each Scenario, a line for each User Agent: they are of different classes.
  const figure = page.getByRole('figure', { name: /^Total page load latency by images: direct/ });
  await figure.getByRole('button', { name: 'Data' }).click();
  // The third page of the first: 3 times 1000 ms, and the mean of the Blocks' 7 ms more each.
  const row = figure.getByRole('row').nth(3);
  expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(/^alice 3 3 017\.5 /);
});

test('a URL opens the distribution of its Visits and the Visits, at an address of their own', async () => {
  const page = await open({ path: `/runs/${runId}/comparison` });
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
  expect(await visits.getByRole('row').count()).toBe(9);
  await page.getByRole('radiogroup', { name: 'Scenario of the Visits' }).getByText(hostile).click();
  await visits.getByRole('cell', { name: /^1\s207\sms$/ }).waitFor();
  expect(await visits.getByRole('link', { name: 'Visit in Block 1 by alice' }).getAttribute('href')).toMatch(
    new RegExp(`^/runs/${runId}/visits/[0-9a-f-]{36}$`),
  );
});

test('each URL has its reduction against the baseline, in the table of all and in full where it is open; a single User Agent’s has none', async () => {
  const page = await open({
    path: `/runs/${runId}/comparison?url=${encodeURIComponent('http://origin.test/images/2')}`,
  });
  const table = page.getByRole('table', { name: 'Latency by URL and Scenario' });
  const words = async (row: ReturnType<Page['getByRole']>) => (await row.innerText()).replace(/\s+/g, ' ');
  // 600 in place of 1000, and 7 ms more in each Block of both.
  expect(await words(table.getByRole('row', { name: /images\/2/ }))).toMatch(
    /^http\S+ 2 218 ms ± \d+ 1 338 ms ± \d+ 40 % \(39 % to 40 %\)$/,
  );
  const own = page.getByRole('table', { name: 'The URL by Scenario' });
  expect(await words(own.getByRole('row', { name: /40 %/ }))).toMatch(/ 1 338 ms ± \d+ 40 % 39 % to 40 % 4 < 0\.001$/);
  await own
    .getByRole('row', { name: /^direct/ })
    .getByLabel('absent: The others are compared with the baseline.')
    .waitFor();

  await page.getByLabel('User Agent', { exact: true }).selectOption('bob');
  await own.waitFor({ state: 'detached' });
  expect(await table.innerText()).not.toContain('40 %');
});

test('a Scenario’s reduction stands beside what it comes to in ms, and the page says of which means each is', async () => {
  const page = await open({ path: `/runs/${runId}/comparison` });
  const scenarios = page.getByRole('region', { name: 'Scenarios' });
  // A mean of 4 400 ms in place of 2 640, over both User Agents and 1, 2, 3 times.
  expect((await scenarios.getByRole('row', { name: /40 %/ }).innerText()).replace(/\s+/g, ' ')).toMatch(
    / 40 % 39 % to 40 % −880 ms −880 to −880 /,
  );
  await scenarios.getByText(/^The means and their difference in ms are arithmetic/).waitFor();
});

test('a Round of the report is drawn over time, with the connections of a User Agent, at an address of its own', async () => {
  const page = await open({ path: `/runs/${runId}/comparison` });
  await page.getByLabel('Scenario of the Round').selectOption('direct');
  await page.getByRole('img', { name: /^Chart of Received in bins of 100 ms: direct, Block 1/ }).waitFor();
  await page.getByRole('img', { name: /^Chart of Sent in bins of 100 ms: direct, Block 1/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('round')).toBe('1.direct');
  await page.getByLabel('User Agent whose connections are shown').selectOption('bob');
  await page.getByRole('img', { name: /^Chart of Connections of bob, direct, Block 1/ }).waitFor();
});

test('packets of a Round that cannot be asked for are reported as that, not as never captured', async () => {
  const page = await open({ path: '/' });
  await page.route('**/capture', (route) => route.fulfill({ status: 500 }));
  await page.goto(`${ui.controller.controller.url}/runs/${runId}/comparison?round=1.direct`);
  const alert = page.getByRole('alert').filter({ hasText: 'Not all packets of this Round can be shown' });
  await alert.waitFor();
  expect(await page.getByText('No packets of this Round were captured').count()).toBe(0);
  await page.unroute('**/capture');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('img', { name: /^Chart of Received in bins of 100 ms: direct, Block 1/ }).waitFor();
  await alert.waitFor({ state: 'detached' });
});

test('the wire and the method are reported', async () => {
  const page = await open({ path: `/runs/${runId}/comparison` });
  // 4 packets of each Pass over its 3 Visits.
  expect(
    (
      await page
        .getByRole('table', { name: 'The wire by Scenario' })
        .getByRole('row', { name: /direct/ })
        .innerText()
    ).replace(/\s+/g, ' '),
  ).toMatch(/1\.3 ± 0\.0/);
  await page
    .getByRole('table', { name: 'Method' })
    .getByRole('row', { name: 'User Agents alice, bob (chrome on laptop)' })
    .waitFor();
  await page.getByRole('table', { name: 'Method' }).getByRole('row', { name: 'HTTP versions used http/1.1' }).waitFor();
});

test('the report is saved as one file, which opens without a Controller and asks for nothing', async () => {
  const page = await open({ path: `/runs/${runId}/comparison` });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Report as HTML' }).click();
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'report.html');
  await (await download).saveAs(file);

  const reader = await page.context().newPage();
  const asked: string[] = [];
  reader.on('request', (request) => asked.push(request.url()));
  reader.on('pageerror', (error) => ui.complaints.push(error.message));
  await reader.goto(`file://${file}`);
  await reader.getByRole('heading', { name: `Proxy or ${hostile}` }).waitFor();
  await reader.getByRole('row', { name: `User-Agent header browser default ${hostile}` }).waitFor();
  await reader.getByRole('region', { name: 'Set-up scripts', exact: true }).getByText(`echo '${hostile}'`).waitFor();
  expect(await reader.locator('img[src=x]').count()).toBe(0);
  await reader.getByRole('img', { name: /^Chart of Reduction of latency/ }).waitFor();
  await reader.getByRole('button', { name: 'http://origin.test/images/2' }).click();
  await reader.getByRole('img', { name: /^Chart of Distribution of the Visits/ }).waitFor();
  expect(
    await reader
      .getByRole('heading', { name: 'http://origin.test/images/2' })
      .evaluate((element) => element === document.activeElement),
  ).toBe(true);
  await reader.getByRole('row', { name: 'HTTP versions used http/1.1' }).waitFor();
  // Narrower than its tables, on the screen and on paper.
  for (const [width, media] of [
    [640, 'screen'],
    [700, 'print'],
  ] as const) {
    await reader.setViewportSize({ width, height: 800 });
    await reader.emulateMedia({ media });
    await reader.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth); // charts are drawn again
  }
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('Scenarios of two Runs stand side by side at an address of their own, which says that they are not paired', async () => {
  const { runId: other } = await storeCompletedRun(ui.controller.database.pool, {
    totalMsOf: ({ block }) => 3000 + block,
  });
  const page = await open({ path: `/runs/compare?runs=${runId},${other}` });
  await page
    .getByRole('alert')
    .getByText(/^Rounds of different Runs are not paired/)
    .waitFor();
  await page
    .getByRole('alert')
    .getByText(`Run ${other} has other URLs than Run ${runId}: their means cover different pages.`)
    .waitFor();
  const table = page.getByRole('table', { name: 'Scenarios of the Runs' });
  expect(await table.getByRole('row').count()).toBe(5);
  await page.getByLabel('Reference', { exact: true }).selectOption(`${other}.proxy`);
  await table
    .getByRole('row', { name: new RegExp(`^${other} Proxy or not direct`) })
    .getByText('1.000')
    .waitFor(); // p of equal samples
  await page.getByRole('img', { name: /^Chart of Total page load latency by Run and Scenario/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('reference')).toBe(`${other}.proxy`);
});

test('axe finds nothing on the report, in the light scheme and in the dark one', async () => {
  const page = await open({
    path: `/runs/${runId}/comparison?url=${encodeURIComponent('http://origin.test/images/2')}&round=1.direct`,
  });
  await page.getByRole('img', { name: /^Chart of Connections of alice/ }).waitFor();
  await page.getByRole('table', { name: 'Visits' }).getByRole('link').first().waitFor();
  await page.getByRole('table', { name: 'Method' }).waitFor();
  expect(await findFaultsInBothSchemes(page)).toEqual([]);
});
