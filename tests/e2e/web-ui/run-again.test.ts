import { expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();

/** As if it had completed. It is stopped before, so that no Run after it has to wait. */
async function end(runId: string): Promise<void> {
  const { database, program } = ui.controller;
  await program(`/api/runs/${runId}/stop`, { method: 'POST' });
  const readState = async () =>
    (await database.pool.query<{ state: string }>('select state from run where id = $1', [runId])).rows[0]!.state;
  await expect.poll(readState).toBe('stopped');
  await database.pool.query(`update run set state = 'completed' where id = $1`, [runId]);
}

test('what a Run measured is run again, and changed into an Evaluation whose Run is compared with it', async () => {
  const { pool } = ui.controller.database;
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'To be changed' }) });
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('Waiting for an Agent: laptop').waitFor();
  const again = /\/runs\/(\d+)$/.exec(page.url())![1]!;
  expect(Number(again)).toBeGreaterThan(Number(runId));
  await end(again);

  await page.goto(new URL(`/runs/${runId}`, page.url()).href);
  await page.getByRole('link', { name: 'Change one thing and run' }).click();
  await page.getByText(`This is what Run ${runId} measured.`).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('To be changed (2)');
  await page.getByLabel('Rounds of each Scenario').fill('3');
  await page.getByRole('button', { name: 'Save and run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run anyway' }).dblclick();
  await page.getByText(`changed from Run ${runId}`).waitFor();
  const made = await pool.query(`select id from evaluation where document ->> 'name' = 'To be changed (2)'`);
  expect(made.rowCount).toBe(1);
  const changed = /\/runs\/(\d+)$/.exec(page.url())![1]!;
  await end(changed);
  // Its Rounds are those of another Run, so that it has a result to compare.
  await pool.query('update round set run_id = $1 where run_id = $2', [changed, (await storeCompletedRun(pool)).runId]);
  await page.goto(new URL(`/runs/${changed}/comparison`, page.url()).href);
  await page.getByRole('link', { name: `Compare with Run ${runId}` }).click();
  await page.getByRole('heading', { name: 'Runs side by side' }).waitFor();
  await page
    .getByText(`proxy: no change of the reduction is shown from Run ${runId} to Run ${changed} (95 % interval `)
    .waitFor();
  await page
    .getByRole('table', { name: 'Scenarios of the Runs' })
    .getByRole('link', { name: changed })
    .first()
    .waitFor();
  await page.getByRole('link', { name: runId, exact: true }).first().waitFor();
});

test('Rounds are added to a Run by the number that is proposed, and its Comparison says what was added', async () => {
  const { pool } = ui.controller.database;
  const { runId } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ name: 'Undecided', repetition: { ...makeEvaluation().repetition, rounds: 4 } }),
    totalMsOf: ({ block, scenario }) => 1000 + (scenario === 'proxy' ? 200 * (block % 2) - 100 : 0),
  });
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByText('Undecided: proxy. More Rounds narrow the interval.').waitFor();
  await page.getByRole('button', { name: /^Add \d+\sRounds, about / }).click();
  const dialog = page.getByRole('dialog', { name: `Add Rounds to Run ${runId}` });
  await dialog.getByText(/should be enough for the interval of every reduction/).waitFor();
  const proposed = Number(await dialog.getByLabel('Rounds of each Scenario').inputValue());
  expect(proposed).toBeGreaterThanOrEqual(1);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('Rounds of each Scenario').fill('1001');
  expect(await dialog.getByRole('button', { name: 'Add Rounds' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Rounds of each Scenario').fill('2');
  await dialog.getByRole('button', { name: 'Add Rounds' }).click();
  await page.getByText('Waiting for an Agent: laptop').waitFor();
  await page.getByRole('columnheader', { name: 'added: warm-up' }).waitFor();
  // Until it has begun, it would be taken back.
  await page.getByText('waiting for a host', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add Rounds' }).waitFor();

  // As if the last Block of another Run had been added.
  const { runId: continued } = await storeCompletedRun(pool);
  await pool.query(
    `insert into added_rounds (run_id, number, first_block, blocks, requested_by, started_at, state_before, ended_before, rounds_planned_before)
     values ($1, 1, 2, 1, 'Ada', now(), 'completed', now(), 4)`,
    [continued],
  );
  await page.goto(new URL(`/runs/${continued}/comparison`, page.url()).href);
  await page.getByText(/Rounds were added after the result had been seen: Block 2 on/).waitFor();
  await page.getByText('How it was measured').click();
  await page.getByRole('row', { name: /^Added Rounds Block 2: added on .* by Ada/ }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});
