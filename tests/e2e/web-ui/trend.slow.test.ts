import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();
let evaluationId: string;
let runs: string[];
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const repetition = { order: 'random-blocks' as const, rounds: 4, warmUp: false, attempts: 1 };
  const evaluation = makeEvaluation({ repetition });
  const stored = [];
  for (const index of [0, 1, 2])
    stored.push(
      await storeCompletedRun(pool, {
        evaluation: index === 0 ? { ...evaluation, repetition: { ...repetition, warmUp: true } } : evaluation,
        totalMsOf: ({ scenario, block }) =>
          (scenario === 'proxy' ? 900 - 100 * index : 1000) + Math.sin(block * 7) * 30,
      }),
    );
  evaluationId = stored[0]!.evaluationId;
  runs = stored.map(({ runId }) => runId);
  for (const [index, id] of runs.entries())
    await pool.query(
      `update run set evaluation_id = $2, labels = $3, started_at = now() - make_interval(days => $4) where id = $1`,
      [id, evaluationId, JSON.stringify({ build: String(9 + index) }), 3 - index],
    );
  // The figures come with the report; the Controller would compute them in the background, too.
  for (const id of runs) await ui.controller.program(`/api/runs/${id}/comparison`);
});

test('the trend draws the Runs of an Evaluation by date and by label, marks other settings, and leads to each Comparison', async () => {
  const page = await ui.open({ path: `/evaluations/${evaluationId}?view=trend` });
  await page.getByText(/^3\scompleted Runs, each/).waitFor();
  await page.getByText(/1 had other settings than the newest Run: their marks are hollow/).waitFor();
  const table = page.getByRole('table', { name: 'Runs of the trend' });
  expect((await table.getByRole('row').nth(1).innerText()).replace(/\s+/g, ' ')).toMatch(
    new RegExp(`^${runs[2]!} \\S+ \\S+ build=11 B 29 % less \\(\\d+ to \\d+ %\\)$`),
  );
  await table.getByRole('cell', { name: 'A ≠ newest' }).waitFor();

  await page.getByRole('combobox', { name: 'Runs by' }).selectOption('by build');
  await page.getByRole('radiogroup', { name: 'Quantity' }).getByText('Mean latency').click();
  const figure = page.getByRole('figure', { name: 'Total page load latency by Run' });
  await figure.getByRole('img').waitFor();
  await page.reload();
  await figure.getByRole('img').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await figure.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const [head, first] = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
  expect(head).toBe(
    'Run,started,build,settings,metric definitions,Scenario,Total page load latency (ms),low (ms),high (ms)',
  );
  expect(first).toMatch(new RegExp(`^${runs[0]!},2\\S+,9,A,\\d+,direct,`));

  await table.getByRole('link', { name: runs[1]!, exact: true }).click();
  await page.waitForURL(`**/runs/${runs[1]!}/comparison`);
  await page.getByText('How it was measured').click();
  await page.getByRole('table', { name: 'Method' }).getByText('build=10').waitFor();
});
