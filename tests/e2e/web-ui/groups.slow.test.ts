import { beforeAll, expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  const evaluation = EvaluationSchema.parse({
    name: 'Capacities',
    urlLists: { pages: ['http://origin.test/images/{5,10}'] },
    userAgents: [
      { name: 'alice', host: 'laptop', urlList: 'pages' },
      { name: 'bob', host: 'laptop', urlList: 'pages' },
    ],
    scenarios: [
      {
        name: '{mode} at {rateKbps}',
        group: '{rateKbps} kb/s',
        sweep: { rateKbps: [256, 1000], mode: ['direct', 'proxy'] },
        baseline: { mode: 'direct' },
      },
    ],
    repetition: { rounds: 4 },
  });
  const stored = await storeCompletedRun(ui.controller.database.pool, {
    evaluation,
    totalMsOf: ({ scenario, url, block }) => {
      const mean = { 'direct at 256': 8000, 'proxy at 256': 6000, 'direct at 1000': 2000, 'proxy at 1000': 2200 };
      return mean[scenario as keyof typeof mean] + (url.endsWith('10') ? 300 : 0) + 13 * ((block * 7) % 5);
    },
  });
  runId = stored.runId;
});

test('findings, the forest plot and the tables have each Scenario below its group, against the baseline of that', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page
    .getByText(/256\skb\/s: With proxy at 256, these pages take \d+\s% less time to load than with direct at 256/)
    .waitFor();
  await page
    .getByText(/1000\skb\/s: With proxy at 1000, these pages take \S+\s% more time to load than with direct at 1000/)
    .waitFor();

  const forest = page.getByRole('region', { name: 'Difference vs the baseline of each group' });
  await forest.getByRole('button', { name: 'Data' }).click();
  const data = await forest.getByRole('row').allInnerTexts();
  expect(data[0]).toMatch(/^Group\s+Baseline\s+Metric\s+Scenario/);
  expect(data.filter((row) => /^256 kb\/s\s+direct at 256\s.*\sproxy at 256\s/.test(row))).toHaveLength(3);
  expect(data.filter((row) => /^1000 kb\/s\s+direct at 1000\s.*\sproxy at 1000\s/.test(row))).toHaveLength(3);

  const rows = await page.getByRole('region', { name: 'Scenarios' }).getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((row) => row.split(/[\n\t]/, 1)[0])).toEqual([
    '256 kb/s',
    'direct at 256',
    'proxy at 256',
    '1000 kb/s',
    'direct at 1000',
    'proxy at 1000',
  ]);
  expect(rows.slice(1).filter((row) => row.includes('baseline'))).toHaveLength(2);

  const urls = page.getByRole('table', { name: 'Latency by URL and Scenario' });
  const heads = await urls.getByRole('columnheader').allInnerTexts();
  expect(heads.slice(0, 2)).toEqual(['256 kb/s', '1000 kb/s']);
  await urls.getByRole('button', { name: '/images/10' }).click();
  const reductions = page.getByRole('table', { name: 'The URL by Scenario' });
  expect(await reductions.getByRole('row', { name: /^direct at 1000/ }).innerText()).toContain('baseline');
  expect(await reductions.getByRole('row', { name: /^proxy at 1000/ }).innerText()).toMatch(/% more /);
});
