import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { type WebUi } from '#tests/support/web-ui.ts';
import { hostile, openReportedRun } from './support/reported-run.ts';
import { chooseExport } from './support/choose-export.ts';

let ui: WebUi;
let runId: string;
beforeAll(async () => {
  ({ ui, runId } = await openReportedRun());
});
afterAll(() => ui[Symbol.asyncDispose]());
afterEach(() => expect(ui.complaints).toEqual([]));

test('a Round of the report is drawn over time, with the connections of a User Agent, at an address of its own', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByLabel('Scenario of the Round').selectOption('direct');
  await page.getByRole('img', { name: /^Chart of Received in bins of 100 ms: direct, Block 1/ }).waitFor();
  await page.getByRole('img', { name: /^Chart of Sent in bins of 100 ms: direct, Block 1/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('round')).toBe('1.direct');
  await page.getByLabel('User Agent whose connections are shown').selectOption('bob');
  await page.getByRole('img', { name: /^Chart of Connections of bob, direct, Block 1/ }).waitFor();
});

test('packets of a Round that cannot be asked for are reported as that, not as never captured', async () => {
  const page = await ui.open({ path: '/' });
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
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByText('How it was measured').click();
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
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  const download = page.waitForEvent('download');
  await chooseExport(page, 'Report as HTML');
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
  await reader.getByText('How it was measured').click();
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
  const page = await ui.open({ path: `/runs/compare?runs=${runId},${other}` });
  await page
    .getByRole('alert')
    .getByText(/^Rounds of different Runs are not paired/)
    .waitFor();
  await page
    .getByRole('alert')
    .getByText(`Run ${other} has other URLs than Run ${runId}: their means cover different pages.`)
    .waitFor();
  const table = page.getByRole('table', { name: 'Scenarios of the Runs' });
  await expect.poll(() => table.getByRole('row').count()).toBe(5);
  await page.getByLabel('Reference', { exact: true }).selectOption(`${other}.proxy`);
  // Of equal samples: that of the interval, and that of Mann–Whitney.
  const equal = table.getByRole('row', { name: new RegExp(`^${other} Proxy or not direct`) });
  await expect.poll(() => equal.getByText('1.000').count()).toBe(2);
  const reductions = page.getByRole('table', { name: 'Reductions of the Runs' });
  await expect.poll(() => reductions.getByRole('row').count()).toBe(3);
  await page.getByRole('img', { name: /^Chart of Total page load latency by Run and Scenario/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('reference')).toBe(`${other}.proxy`);
});
