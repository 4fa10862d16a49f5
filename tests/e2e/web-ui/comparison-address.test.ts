import { beforeAll, expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { chooseExport } from './support/choose-export.ts';

const failingUrl = 'http://origin.test/plain';
const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  ({ runId } = await storeCompletedRun(ui.controller.database.pool, { evaluation: makeEvaluation(), failingUrl }));
});

test('metric, User Agent and order are in the address, so that a figure can be linked to', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByRole('radiogroup', { name: 'Metric' }).getByText('Base page').click();
  await page.getByLabel('User Agent', { exact: true }).selectOption('bob');
  await page.getByRole('button', { name: 'proxy' }).click();
  await page.getByRole('columnheader', { name: 'proxy' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({ metric: 'baseMs', userAgent: 'bob', sort: 'proxy' });

  await page.reload();
  await page.getByRole('heading', { name: 'Base page latency by URL' }).waitFor();
  expect(await page.getByLabel('User Agent', { exact: true }).inputValue()).toBe('bob');
});

test('what a Scenario differs in stands near the top, and a flag leads to the Visits that it counts', async () => {
  const { pool } = ui.controller.database;
  const scenarios = [
    { name: 'direct', baseline: true },
    { name: 'proxy', description: 'As an operator has it.', browser: { proxy: 'http://proxy.test:3128' } },
  ];
  let made = 0;
  const stored = await storeCompletedRun(pool, {
    evaluation: EvaluationSchema.parse({ ...makeEvaluation({ name: 'Flagged' }), scenarios }),
    failingUrl,
    snapshotOf: (page) => ({ ...makeSnapshot(page), settled: ++made % 5 !== 0 }),
  });
  const page = await ui.open({ path: `/runs/${stored.runId}/comparison` });
  const differing = page.getByRole('table', { name: 'Settings of the Scenarios' });
  await differing.getByRole('row', { name: 'proxy As an operator has it.' }).waitFor();
  await differing.getByRole('row', { name: 'Proxy none http://proxy.test:3128' }).waitFor();

  const unsettled = page
    .getByRole('group', { name: 'What the answer rests on' })
    .getByRole('link', { name: /unsettled/ });
  const count = Number(/^\d+/.exec(await unsettled.innerText())?.[0]);
  await unsettled.click();
  await page.getByRole('heading', { level: 1, name: 'Visits' }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=unsettled');
  const visits = page.getByRole('table', { name: 'Visits' });
  await visits.getByText('ok, unsettled').first().waitFor();
  expect(await visits.getByText('ok, unsettled').count()).toBe(count);
  expect(await visits.getByRole('row').count()).toBe(count + 1);

  await page.goBack();
  await page.getByRole('link', { name: /^4.failed Visits under proxy$/ }).click();
  await visits.getByText('timeout').nth(3).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ scenario: 'proxy', status: 'failed' });
});

test('what there is nothing of has no section, and the method says what to do about it', async () => {
  const { pool } = ui.controller.database;
  const userAgents = makeEvaluation()
    .userAgents.slice(0, 1)
    .map((user) => ({ ...user, engine: 'http' as const }));
  const stored = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({
      name: 'Alone',
      userAgents,
      urlLists: { pages: [{ url: 'http://origin.test/plain' }] },
    }),
    snapshotOf: (page) => ({ ...makeSnapshot(page), viewport: null }),
  });
  const page = await ui.open({ path: `/runs/${stored.runId}/comparison` });
  await page.getByText('How it was measured').click();
  await page
    .getByRole('row', { name: /^Packets not captured, .* Give each an "osUser" and a "sourceAddress"/ })
    .waitFor();
  const headings = (await page.getByRole('heading', { level: 2 }).allInnerTexts()).concat(
    await page.getByRole('heading', { level: 3 }).allInnerTexts(),
  );
  expect(headings).toEqual([
    'Answer',
    'Why',
    'Total page load latency by scenario',
    'Difference vs direct',
    'Scenarios',
    'Total page load latency by URL',
    'Method',
  ]);
  await expect.poll(() => page.getByRole('figure').count()).toBe(2);

  const forest = page.getByRole('figure', { name: /^Reduction of latency/ });
  await forest.getByRole('button', { name: 'Data' }).click();
  await forest.getByRole('row', { name: /^Viewport latency proxy .*the engine has no such measurement\.$/ }).waitFor();
});

test('the Visits can be taken away as CSV', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  const download = page.waitForEvent('download');
  await chooseExport(page, 'Visits as CSV');
  expect((await download).suggestedFilename()).toBe(`run-${runId}-visits.csv`);
});

test('variables and Scenarios may have any name, such as those of what every JavaScript object has', async () => {
  const evaluation = EvaluationSchema.parse({
    name: 'Names of objects',
    urlLists: {
      toString: [
        {
          url: 'http://origin.test/images/{1..3}',
          variables: { constructor: '{1}', hasOwnProperty: 1, valueOf: '{1}' },
        },
      ],
    },
    userAgents: [{ name: 'constructor', host: 'laptop', urlList: 'toString' }],
    scenarios: [{ name: 'constructor', baseline: true }, { name: 'toString' }],
    repetition: { rounds: 2 },
  });
  const { runId: run } = await storeCompletedRun(ui.controller.database.pool, { evaluation });
  const page = await ui.open({ path: `/runs/${run}/comparison` });
  await page.getByRole('figure', { name: 'Total page load latency by valueOf' }).waitFor();
  await page.getByRole('button', { name: 'Change figure' }).click();
  await page.getByLabel('By', { exact: true }).selectOption('constructor');
  await page.getByRole('figure', { name: 'Total page load latency by constructor' }).waitFor();
  await page
    .getByRole('table', { name: 'Latency by URL and Scenario' })
    .getByRole('button', { name: /images\/2/ })
    .click();
  await page.getByRole('radiogroup', { name: 'Scenario of the Visits' }).getByText('toString').click();
  await page
    .getByRole('radiogroup', { name: 'Scenario of the Visits' })
    .getByRole('radio', { name: 'toString' })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' });
});
