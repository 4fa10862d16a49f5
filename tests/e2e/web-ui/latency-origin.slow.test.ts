import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { chooseExport } from './support/choose-export.ts';

/** Of each page, before its request. */
const handshakesMs = 400;

const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  const evaluation = EvaluationSchema.parse({
    name: 'Kept connections',
    urlLists: { pages: [{ url: 'https://origin.test/images/{1..3}', variables: { images: '{1}' } }] },
    userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
    scenarios: [{ name: 'slow', baseline: true }, { name: 'fast' }],
    repetition: { rounds: 4 },
  });
  const stored = await storeCompletedRun(ui.controller.database.pool, {
    evaluation,
    totalMsOf: ({ scenario, block }) => handshakesMs + (scenario === 'slow' ? 1000 : 500) + block,
    snapshotOf: (page) => {
      const snapshot = makeSnapshot(page);
      const [frame] = snapshot.frames;
      const navigation = { ...frame!.navigation!, connectEnd: handshakesMs, requestStart: handshakesMs };
      return { ...snapshot, frames: [{ ...frame!, navigation }] };
    },
  });
  runId = stored.runId;
});

const wordsOf = async (page: Page, name: RegExp) =>
  (await page.getByRole('region', { name: 'Scenarios' }).getByRole('row', { name }).innerText()).replace(/\s+/g, ' ');

test('all latencies of a Comparison count from the first request, at an address of their own', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByRole('region', { name: 'Total page load latency by URL', exact: true }).waitFor();
  expect(await wordsOf(page, /^slow/)).toContain('1 403 ms');

  await page.getByRole('radiogroup', { name: 'Latencies from' }).getByText('first request').click();
  await page.getByText('Latencies count from the first request, as in').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('first-request');
  await expectFromRequest(page);

  const again = await page.context().newPage();
  await again.goto(page.url());
  await expectFromRequest(again);
  // Another choice on the page keeps it.
  await again.getByRole('radiogroup', { name: 'Metric' }).getByText('Base page').click();
  await again.getByRole('region', { name: 'Base page latency from the first request by URL', exact: true }).waitFor();
  expect(new URL(again.url()).searchParams.get('from')).toBe('first-request');
  await again.getByRole('radiogroup', { name: 'Latencies from' }).getByText('navigation start').click();
  await again.getByRole('region', { name: 'Base page latency by URL', exact: true }).waitFor();
  expect(new URL(again.url()).searchParams.get('from')).toBeNull();
});

test('the list of Visits says that its latencies count from navigation start, as on their pages', async () => {
  const url = encodeURIComponent('https://origin.test/images/2');
  const page = await ui.open({ path: `/runs/${runId}/comparison?from=first-request&url=${url}` });
  const visits = page.getByRole('table', { name: 'Visits', exact: true });
  await visits.getByRole('cell', { name: /^1\s401\sms$/ }).waitFor();
  await visits.getByRole('columnheader', { name: 'Latency from navigation start' }).waitFor();
  await page
    .getByRole('img', {
      name: 'Chart of Total page load latency from the first request of the Visits of https://origin.test/images/2',
    })
    .waitFor();
});

test('files saved from the page count as the page does', async () => {
  await using folder = await makeTemporaryFolder();
  const page = await ui.open({ path: `/runs/${runId}/comparison?from=first-request` });
  await expectFromRequest(page);
  const visits = page.waitForEvent('download');
  await chooseExport(page, 'Visits as CSV');
  expect(await readFile(await (await visits).path(), 'utf8')).toContain(',first-request,');

  const saved = page.waitForEvent('download');
  await chooseExport(page, 'Report as HTML');
  expect((await saved).suggestedFilename()).toBe(`run-${runId}-report-from-first-request.html`);
  const file = path.join(folder.path, 'report.html');
  await (await saved).saveAs(file);
  const report = await page.context().newPage();
  await report.goto(`file://${file}`);
  await expectFromRequest(report);
  await report.getByText('Latencies count from the first request, as in').waitFor();
  expect(await report.getByRole('radiogroup', { name: 'Latencies from' }).count()).toBe(0);
});

async function expectFromRequest(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Total page load latency from the first request by URL', exact: true })
    .waitFor();
  expect(await wordsOf(page, /^slow/)).toContain('1 003 ms');
  await page.getByRole('img', { name: /^Chart of Reduction of latency from the first request vs slow/ }).waitFor();
  const figure = page.getByRole('figure', { name: /^Total page load latency from the first request by images/ });
  await figure.getByRole('button', { name: 'Data' }).click();
  expect(await figure.getByRole('table').innerText()).toContain('Total page load latency from the first request, ms');
  const finding = page.getByText(/With fast, these pages take/).first();
  expect((await finding.innerText()).replace(/\s+/g, ' ')).toContain(
    'total page load latency from the first request, 4',
  );
}
