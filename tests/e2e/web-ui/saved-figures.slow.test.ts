import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { expectAlike } from './support/expect-alike.ts';
import { chooseExport } from './support/choose-export.ts';

const ui = useWebUi();
let runId: string;
let laterRunId: string;
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const evaluation = EvaluationSchema.parse({
    name: 'Every figure',
    urlLists: { pages: [{ url: 'http://origin.test/images/{1..3}', variables: { images: '{1}' } }] },
    userAgents: ['alice', 'bob'].map((name) => ({ name, host: 'laptop', urlList: 'pages' })),
    scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }, { name: 'slow proxy' }],
    repetition: { rounds: 5 },
  });
  const factors = new Map([
    ['direct', 1000],
    ['proxy', 600],
    ['slow proxy', 1500],
  ]);
  const stored = await storeCompletedRun(pool, {
    evaluation,
    // Some spread, the same at every run of the test.
    totalMsOf: ({ scenario, userAgent, url, block }) =>
      factors.get(scenario)! * (userAgent === 'bob' ? 1.2 : 1) * Number(url.at(-1)) +
      41 * ((block * 7 + Number(url.at(-1))) % 5),
  });
  runId = stored.runId;
  laterRunId = (await storeCompletedRun(pool, { evaluation })).runId;
  for (const passId of new Set(stored.visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured() });
});

/** Figures that are read on request. */
async function openFolded(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true;
  });
}

test('each figure of a Comparison is the same picture as SVG and as PNG', async () => {
  const page = await ui.open({
    path: `/runs/${runId}/comparison?url=${encodeURIComponent('http://origin.test/images/2')}&round=1.direct`,
  });
  page.setDefaultTimeout(90_000);
  await page.getByRole('img', { name: /^Chart of Connections of/ }).waitFor();
  await page.getByRole('img', { name: /^Chart of Distribution of the Visits/ }).waitFor();
  await openFolded(page);
  const titles = await expectAlike(page);
  const forest = page.getByRole('figure', { name: /^Reduction of latency/ });
  await forest.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('menuitemradio', { name: 'One column, 89 mm' }).click();
  await page.keyboard.press('Escape');
  const narrow = page.waitForEvent('download');
  await forest.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('menuitem', { name: 'SVG' }).click();
  expect(await readFile(await (await narrow).path(), 'utf8')).toMatch(/<svg[^>]* width="89mm"/);
  await forest.getByRole('button', { name: 'Caption' }).click();
  await forest
    .getByText(/n = 5 Rounds of each Scenario, 90 Visits in all, of Run \d+ of “Every figure”\. .* with seed 7\./)
    .waitFor();
  await forest.getByText('@software{http-ae,').waitFor();
  expect(titles.length).toBeGreaterThanOrEqual(6);
  for (const kind of [
    /^Reduction of latency/,
    /by images/,
    /^Distribution of/,
    /^Received in bins/,
    /^Sent in bins/,
    /^Connections of/,
    /of the Visits of http/,
  ])
    expect(
      titles.some((title) => kind.test(title)),
      String(kind),
    ).toBe(true);
});

test('each figure of a saved report is the same picture as SVG and as PNG', async () => {
  await using folder = await makeTemporaryFolder();
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  const download = page.waitForEvent('download');
  await chooseExport(page, 'Report as HTML');
  const file = path.join(folder.path, 'report.html');
  await (await download).saveAs(file);
  const report = await page.context().newPage();
  report.setDefaultTimeout(90_000);
  await report.goto(`file://${file}`);
  await report.getByRole('img', { name: /^Chart of Total page load latency by images/ }).waitFor();
  await openFolded(report);
  expect((await expectAlike(report)).length).toBeGreaterThanOrEqual(4);
});

test('the figure of several Runs is the same picture as SVG and as PNG', async () => {
  const page = await ui.open({ path: `/runs/compare?runs=${runId},${laterRunId}` });
  await page.getByRole('img', { name: /^Chart of .* by Run and Scenario/ }).waitFor();
  expect(await expectAlike(page)).toEqual(['Total page load latency by Run and Scenario']);
});
