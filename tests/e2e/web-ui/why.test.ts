import { beforeAll, expect, test } from 'vitest';
import { findFaultsInBothSchemes } from '#tests/support/find-accessibility-faults.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();
let stored: Awaited<ReturnType<typeof storeCompletedRun>>;
beforeAll(async () => {
  stored = await storeCompletedRun(ui.controller.database.pool, {
    totalMsOf: ({ block, scenario }) => (scenario === 'proxy' ? 500 : 1500) + 10 * block,
    snapshotOf: (page) => makePageSnapshot(page, 8),
  });
});

test('from the sentence to the two Visits that show a cause, and to the critical path of one', async () => {
  const page = await ui.open({ path: `/runs/${stored.runId}/comparison` });
  const why = page.getByRole('region', { name: 'Why' });
  await why
    .getByText('With proxy, these pages take 1.00 s less (1.00 s to 1.00 s): −0.40 s waiting for the server, ')
    .waitFor();
  const bars = await why.getByRole('img').all();
  expect(bars).toHaveLength(2);
  const table = why.getByRole('table', { name: 'Causes of the difference between proxy and direct' });
  expect(await table.getByRole('row', { name: /^Sum/ }).innerText()).toMatch(
    /−1.?000 \(−1.?0\d\d to −9\d\d\)|−1.?000 \(/,
  );
  // The rows sum to the latencies, so that no cause is left out.
  for (const column of [1, 2]) {
    const cells = await table.locator(`tbody tr > :nth-child(${column + 1})`).allInnerTexts();
    const means = cells.map((text) => Number(text.replace(/[^\d.−]/g, '').replace('−', '-')));
    const sum = means.pop()!;
    expect(Math.abs(means.reduce((total, ms) => total + ms, 0) - sum)).toBeLessThan(means.length);
  }
  expect(await findFaultsInBothSchemes(page)).toEqual([]);

  await table.getByRole('link', { name: 'See it' }).first().click();
  await page.waitForURL(/visits\/compare\?first=[0-9a-f-]{36}&second=[0-9a-f-]{36}&.*cause=/);
  const ofPair = page.getByRole('region', { name: /^Why: total page load latency/ });
  await ofPair.waitFor();
  expect(await ofPair.locator('[data-dimmed=true]').count()).toBeGreaterThan(0);
  await page.getByText(/^The line below the bars: /).waitFor();

  await page.getByRole('link', { name: 'This Visit alone' }).first().click();
  const waterfall = page.getByRole('region', { name: 'Waterfall' });
  await waterfall.getByText(/the line below the bars is the path of the last object/).waitFor();
  await waterfall.getByRole('button').first().click();
  await page.getByText('On the critical path of the latency:').waitFor();
  expect(await findFaultsInBothSchemes(page)).toEqual([]);
});

test('solo Rounds are added beside a Scenario, one for each User Agent', async () => {
  const page = await ui.open({ path: `/evaluations/${stored.evaluationId}` });
  await page.getByRole('button', { name: 'Add solo Rounds' }).click();
  await page.getByRole('tab', { name: 'direct, alice alone' }).click();
  expect(await page.getByRole('textbox', { name: 'User Agents' }).inputValue()).toBe('alice');
  await page.getByRole('tab', { name: 'direct, bob alone' }).waitFor();
  // One who is alone has nobody to be without.
  expect(await page.getByRole('button', { name: 'Add solo Rounds' }).count()).toBe(0);
});
