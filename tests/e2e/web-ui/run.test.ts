import { expect, test } from 'vitest';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();

test('a running Run shows the latencies so far with their intervals from three Rounds on, and when it will end', async () => {
  const { pool } = ui.controller.database;
  const endRuns = () => pool.query(`update run set state = 'completed', ended_at = now(), owner_until = null`);
  const storeRunning = async (rounds: number) => {
    const { runId: id } = await storeCompletedRun(pool, {
      evaluation: makeEvaluation({ name: 'Under way', repetition: { ...makeEvaluation().repetition, rounds } }),
      totalMsOf: ({ block }) => 1000 + 100 * block,
    });
    // As if another Controller continued it. This one leaves it alone.
    await pool.query(
      `update run set state = 'running', ended_at = null, owner_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    return id;
  };
  const early = await ui.open({ path: `/runs/${await storeRunning(2)}` });
  const earlyRow = early.getByRole('table', { name: 'Latencies so far' }).getByRole('row', { name: /^proxy/ });
  await earlyRow.getByLabel(/^absent: Shown from 3 Rounds on/).waitFor();
  expect(await earlyRow.innerText()).not.toMatch(/±|%/);
  await endRuns();
  const runId = await storeRunning(3);
  const page = await ui.open({ path: `/runs/${runId}` });
  const row = page.getByRole('table', { name: 'Latencies so far' }).getByRole('row', { name: /^proxy/ });
  // Three Rounds, of 1100 to 1300 ms: the quantile of t with two degrees of freedom, 4.303, times 100 / √3.
  await expect
    .poll(async () => (await row.innerText()).replace(/\s+/g, ' '))
    .toMatch(/^proxy 3 1 200 ms ± 248 ms 21 %/);
  await page.getByText('This Run has a fixed number of Rounds').waitFor();
  // A point for each Visit of the last Blocks: three Rounds of a user and of as many pages.
  const visits = await pool.query<{ count: number }>(
    `select count(*)::int from visit join pass on pass.id = pass_id join round on round.id = round_id where run_id = $1 and scenario = 'proxy' and not warm_up and status = 'ok'`,
    [runId],
  );
  await expect.poll(() => row.locator('svg circle').count()).toBe(visits.rows[0]!.count);
  await endRuns();
});

test('a running Run whose every Visit failed says so, also at its Rounds and at its User Agents', async () => {
  const { pool } = ui.controller.database;
  const failingUrl = 'http://origin.test/plain';
  const { runId } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ name: 'In vain', urlLists: { pages: [{ url: failingUrl }] } }),
    failingUrl,
  });
  await pool.query(
    `update run set state = 'running', ended_at = null, owner_until = now() + interval '1 hour' where id = $1`,
    [runId],
  );
  const page = await ui.open({ path: `/runs/${runId}` });
  await page.getByText('Every Visit so far failed').waitFor();
  await page.getByText('12 × timeout. The Visits show the details.').waitFor();
  await page.getByRole('button', { name: 'Round 3, completed, Visits: 2 failed' }).click();
  await page.getByRole('row', { name: /^alice.* 1 of 1, 1 failed 1 × timeout/ }).waitFor();
  await page.getByRole('button', { name: 'Stop the Run' }).click();
  await page.getByRole('dialog', { name: 'Stop this Run?' }).getByRole('button', { name: 'Cancel' }).click();
  await pool.query(`update run set state = 'completed', ended_at = now() where id = $1`, [runId]);
  await page.reload();
  await page.getByText('completed, all Visits failed').waitFor();
  await page.goto(new URL('/', page.url()).href);
  const row = page.getByRole('row', { name: /In vain/ });
  await row.getByRole('link', { name: `Run ${runId}, completed, all Visits failed` }).waitFor();
  expect(await row.getByRole('link', { name: `Comparison of Run ${runId}` }).getAttribute('href')).toBe(
    `/runs/${runId}/comparison`,
  );
  await page.goto(new URL('/runs', page.url()).href);
  await page.getByRole('link', { name: /^12\sfailed Visits of Run/ }).click();
  await page
    .getByRole('table', { name: 'Visits' })
    .getByRole('row', { name: /timeout/ })
    .first()
    .waitFor();
});

test('the Runs of an Evaluation are found behind the newest Runs of others', async () => {
  const { pool } = ui.controller.database;
  const { evaluationId, runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'Long ago' }) });
  const { id: otherId } = await createEvaluation(pool, makeEvaluation({ name: 'Run again and again' }));
  await pool.query(
    `insert into run (evaluation_id, document, seed, rounds_planned, state) select $1, document, seed, rounds_planned, 'completed' from run, generate_series(1, 200) where id = $2`,
    [otherId, runId],
  );
  const page = await ui.open({ path: `/evaluations/${evaluationId}?view=runs` });
  await page.getByRole('link', { name: runId, exact: true }).waitFor();
  const more = page.getByRole('button', { name: 'Show more Runs' });
  expect(await more.count()).toBe(0);

  await page.goto(new URL('/runs', page.url()).href);
  await more.waitFor();
  expect(await page.getByRole('link', { name: runId, exact: true }).count()).toBe(0);
  await more.click();
  await page.getByRole('link', { name: runId, exact: true }).waitFor();
  await expect.poll(() => more.count()).toBe(0);
});
