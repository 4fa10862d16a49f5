import { beforeAll, expect, test } from 'vitest';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { chooseExport } from './support/choose-export.ts';

const failingUrl = 'http://origin.test/plain';
const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  ({ runId } = await storeCompletedRun(ui.controller.database.pool, { evaluation: makeEvaluation(), failingUrl }));
});

test('the comparison says its findings, what they rest on, and each mean with its interval', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByText('proxy and direct are equivalent within 5 %').waitFor();

  const scenarios = page.getByRole('region', { name: 'Scenarios' });
  const direct = scenarios.getByRole('row', { name: /direct/ });
  expect(await direct.innerText()).toMatch(/1\s000\sms ± 0/);
  expect(await direct.innerText()).toMatch(/no value for 1 of 3\sURLs/);
  await page.getByRole('img', { name: /^Chart of Total page load latency by URL/ }).waitFor();
  // Alike in both, so that nothing is shown.
  await page
    .getByRole('table', { name: 'Latency by URL and Scenario' })
    .getByText(/^0\s% \(0 to 0\s%\) n\.s\.$/)
    .first()
    .waitFor();
});

test('Visits that lost objects are said to have, where the Scenarios, the URLs and their rule stand', async () => {
  const { runId: lossyId } = await storeCompletedRun(ui.controller.database.pool, {
    evaluation: makeEvaluation({ name: 'A proxy died' }),
    totalMsOf: ({ block, scenario, url }) => (scenario === 'proxy' && block === 2 && url === failingUrl ? 100 : 1000),
    snapshotOf: (page) => {
      const snapshot = makePageSnapshot(page, 8);
      return page.totalMs === 100
        ? {
            ...snapshot,
            requests: snapshot.requests.map((request) =>
              request.type === 'image' ? { ...request, status: 502 } : request,
            ),
          }
        : snapshot;
    },
  });
  const page = await ui.open({ path: `/runs/${lossyId}/comparison` });
  const check = page
    .getByRole('list', { name: 'Checks that touch the reduction' })
    .getByRole('listitem')
    .filter({ hasText: 'Objects complete' });
  expect(await check.innerText()).toContain('2 Visits lost objects that other Visits of the page received.');
  const scenarios = page.getByRole('region', { name: 'Scenarios' });
  expect(await scenarios.getByRole('row', { name: /direct/ }).innerText()).toMatch(
    /12\s+in every Visit of their page$/,
  );
  expect(await scenarios.getByRole('row', { name: /proxy/ }).innerText()).toMatch(/26\s+14 lost in 2\sVisits$/);
  const url = page.getByRole('table', { name: 'Latency by URL and Scenario' }).getByRole('row', { name: failingUrl });
  await url.getByText('2 with lost objects').waitFor();
  await page.getByText('How it was measured').click();
  await page
    .getByRole('row', { name: 'Failed objects if a Visit lost objects, its latency counts as it is' })
    .waitFor();
  await url.getByRole('link', { name: '2 with lost objects' }).click();
  await page
    .getByRole('row', { name: /ok, 8\sfailed objects/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('row', { name: /\sfailed objects?/ }).count()).toBe(4);
});

test('what was not measured is a dash with its reason, never a zero', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  const row = page.getByRole('table', { name: 'Latency by URL and Scenario' }).getByRole('row', { name: failingUrl });
  const absent = row.getByLabel('absent: Of 4 Visits, 4 failed.').first();
  expect(await absent.innerText()).toBe('—');
  await absent.focus();
  await page.getByRole('tooltip', { name: 'Of 4 Visits, 4 failed.' }).waitFor();
});

test('the Comparison of a Run under way brings the wire and the method along, names its own confidence, and is saved as it stands now', async () => {
  const { pool } = ui.controller.database;
  // Packets are to be captured, and none was yet.
  const userAgents = makeEvaluation().userAgents.map((user, index) => ({
    ...user,
    osUser: user.name,
    sourceAddress: `10.9.1.${index + 1}`,
  }));
  const evaluation = makeEvaluation({ name: 'Goes on', userAgents });
  const { runId: openId } = await storeCompletedRun(pool, {
    evaluation: { ...evaluation, comparison: { ...evaluation.comparison, confidence: 0.995 } },
  });
  // As if another Controller went on with it: this one leaves it alone.
  await pool.query(
    `update run set state = 'running', ended_at = null, owner_until = now() + interval '1 hour' where id = $1`,
    [openId],
  );
  const breakRound = (index: number, problem: string) =>
    pool.query(`update round set state = 'broken', problem = $3 where run_id = $1 and index = $2`, [
      openId,
      index,
      problem,
    ]);
  const page = await ui.open({ path: `/runs/${openId}/comparison` });
  const method = page.getByRole('region', { name: 'Method' });
  await page.getByText('How it was measured').click();
  await method.getByRole('row', { name: 'Repeated Rounds none' }).waitFor();
  await page.getByRole('columnheader', { name: 'Mean ± 99.5 %' }).waitFor();
  const difference = page.getByRole('region', { name: 'Difference vs direct' });
  await difference.getByText('What this shows').click();
  await difference.getByText('with its 99.5 % interval').waitFor();

  const wire = page.waitForResponse((response) => response.url().endsWith(`/api/runs/${openId}/wire`));
  await breakRound(3, 'Agent laptop was lost');
  await method.getByText('Agent laptop was lost').waitFor();
  await wire;

  await breakRound(2, 'Agent laptop was lost again');
  const download = page.waitForEvent('download');
  await chooseExport(page, 'Report as HTML');
  const chunks = await (await (await download).createReadStream()).toArray();
  expect(Buffer.concat(chunks as Buffer[]).toString()).toContain('Agent laptop was lost again');
  await pool.query(`update run set state = 'completed', ended_at = now() where id = $1`, [openId]);
});
