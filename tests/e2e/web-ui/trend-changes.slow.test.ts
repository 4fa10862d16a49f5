import { beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const runCount = 10;
const ui = useWebUi();
let evaluationId: string;
let runs: string[];
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const repetition = { order: 'random-blocks' as const, rounds: 3, warmUp: false, attempts: 1 };
  const evaluation = makeEvaluation({
    name: 'Nightly',
    repetition,
    trend: { threshold: 0.25 },
    urlLists: { pages: [{ url: 'http://origin.test/plain' }] },
  });
  const stored = [];
  for (let index = 0; index < runCount; index++)
    stored.push(
      await storeCompletedRun(pool, {
        evaluation,
        totalMsOf: ({ scenario, block }) =>
          (scenario === 'proxy' ? (index < 5 ? 700 : 800) : 1000) + 10 * Math.sin(block * 7 + index * 3),
      }),
    );
  evaluationId = stored[0]!.evaluationId;
  runs = stored.map(({ runId }) => runId);
  for (const [index, id] of runs.entries())
    await pool.query(
      `update run set evaluation_id = $2, started_at = now() - make_interval(days => $3) where id = $1`,
      [id, evaluationId, runCount - index],
    );
  for (const id of runs) await ui.controller.program(`/api/runs/${id}/comparison`);
});

test('the trend states where the reduction changed, and on which side of its threshold the newest Run is', async () => {
  const page = await ui.open({ path: `/evaluations/${evaluationId}?view=trend` });
  const changes = page.getByRole('group', { name: 'Changes' });
  await changes
    .getByText(new RegExp(`^proxy takes 1\\d % more time since Run ${runs[5]!} than before, against its baseline`))
    .waitFor();
  await changes
    .getByText(`The threshold is a reduction of 25 %. Run ${runs.at(-1)!}, the newest, is below it: proxy.`)
    .waitFor();
  await page.getByRole('figure', { name: 'Reduction of total page load latency by Run' }).getByRole('img').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('a Run is labelled on its page, and the trend can be drawn by that label', async () => {
  const page = await ui.open({ path: `/runs/${runs[0]!}` });
  await page.getByRole('button', { name: 'Add tags, labels or a note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags, labels and note' });
  const labels = dialog.getByLabel('Labels').first();
  await labels.fill('build');
  await labels.press('Enter');
  await dialog.getByText('build: It must be a key and a value, such as build=1234.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await labels.press('Backspace');
  await labels.fill('build=9');
  await labels.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('labels build=9').waitFor();
  await page.getByRole('link', { name: 'this Evaluation' }).click();
  await page.getByRole('tab', { name: 'Trend' }).click();
  await page.getByRole('combobox', { name: 'Runs by' }).selectOption('by build');
});
