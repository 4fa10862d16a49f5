import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { recordAgent } from '#controller/agents/agents.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { startWebUi } from '#tests/support/web-ui.ts';
import { holdForAll } from '#tests/support/hold.ts';

const runs = { faster: '', slower: '' };
const ui = holdForAll(startWebUi);
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const store = async (name: string, proxyMs: number) => {
    const { runId } = await storeCompletedRun(pool, {
      evaluation: makeEvaluation({ name }),
      totalMsOf: ({ scenario, block, url }) =>
        (scenario === 'proxy' ? proxyMs : 1000) + block + (url.endsWith('/plain') ? 0 : 400),
    });
    expect((await ui.controller.program(`/api/runs/${runId}/comparison`)).status).toBe(200);
    return runId;
  };
  runs.faster = await store('Two protocols', 700);
  runs.slower = await store('A proxy far away', 1500);
  const { id: tokenId } = await issueToken(pool, { name: 'rooftop', scope: 'agent' });
  await recordAgent(pool, { name: 'rooftop', tokenId, agentVersion: '0.1.0', facts: hostFacts });
});

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test('a Run is found by its outcome, and the address keeps search, filters and sorting', async () => {
  const page = await ui.open({ path: '/runs' });
  await rowOf(page, 'Two protocols')
    .getByRole('link', { name: /^Comparison of Run \d+: proxy takes \d+ % less time/ })
    .waitFor();
  await rowOf(page, 'Two protocols')
    .getByRole('img', { name: /^Time vs the baseline: .*, 95\s% interval .* to .*; equivalent from/ })
    .waitFor();
  await page.getByRole('button', { name: 'Sort by Outcome' }).click();
  await page.getByRole('row').nth(1).getByText('A proxy far away').waitFor();
  expect(new URL(page.url()).search).toBe('?sort=outcome&order=ascending');

  await page.getByRole('searchbox', { name: 'Search Runs' }).fill('less time');
  await expect.poll(() => rowOf(page, 'A proxy far away').count()).toBe(0);
  await page.reload();
  await rowOf(page, 'Two protocols').waitFor();
  expect(await rowOf(page, 'A proxy far away').count()).toBe(0);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'slower' }).click();
  await expect.poll(() => rowOf(page, 'Two protocols').count()).toBe(0);
  await rowOf(page, 'A proxy far away').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(ui.complaints).toEqual([]);
});

test('a Run is labelled, tagged and noted on its page, and found by them', async () => {
  const page = await ui.open({ path: `/runs/${runs.slower}` });
  await page.getByRole('button', { name: 'Add tags, labels or a note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags, labels and note' });
  await dialog.getByLabel('Tags').first().fill('rain,');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('<b>cloudy</b> since noon');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('<b>cloudy</b> since noon').waitFor();
  await page.goto(`${ui.controller.controller.url}/runs?words=cloudy&tag=rain`);
  await rowOf(page, 'A proxy far away').getByRole('listitem').getByText('rain').waitFor();
  const viewer = await ui.open({ path: `/runs/${runs.slower}`, role: 'viewer' });
  expect(await viewer.getByRole('button', { name: 'Edit tags, labels and note' }).isDisabled()).toBe(true);
});

test('Evaluations list the outcome of their last Run, are searched, and are tagged', async () => {
  const page = await ui.open({ path: '/?words=protocols' });
  await rowOf(page, 'Two protocols')
    .getByRole('link', { name: /proxy takes \d+ % less time/ })
    .waitFor();
  expect(await rowOf(page, 'A proxy far away').count()).toBe(0);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await rowOf(page, 'Two protocols').getByRole('link', { name: 'Two protocols', exact: true }).click();
  await page.getByRole('button', { name: 'Add tags or a note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags and note' });
  await dialog.getByRole('textbox', { name: 'Note' }).fill('to be repeated');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('to be repeated').waitFor();
});

test('Visits are sorted by a heading and limited by their latency, and show the path of their page', async () => {
  const page = await ui.open({ path: `/runs/${runs.faster}/visits` });
  const table = page.getByRole('table', { name: 'Visits' });
  await table.getByRole('link', { name: '/images/1', exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Sort by Total' }).click();
  const heading = table.getByRole('columnheader', { name: 'Total' });
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(() => table.getByRole('row').nth(1).getByText('proxy').count()).toBe(1);
  await page.getByRole('textbox', { name: 'Total from' }).fill('1350');
  await expect.poll(() => table.getByText('proxy').count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?sort=total&order=ascending&atLeastMs=1350');
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('Ctrl K finds Runs, Evaluations, hosts, studies and settings, by keyboard alone', async () => {
  const page = await ui.open({ path: '/runs' });
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  const find = async (text: string, entry: string | RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Find' }).fill(text);
    await page.getByRole('dialog').getByRole('button', { name: entry }).first().waitFor();
  };
  await find('far away', /^Run \d+: A proxy far away/);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^A proxy far away/ })
    .waitFor();
  const selectedRun = page.locator('[data-action][data-selected]').filter({ hasText: /Run \d+: A proxy far away/ });
  await expect
    .poll(async () => {
      // Which of the two is first depends on which came first.
      if ((await selectedRun.count()) === 0) await page.keyboard.press('ArrowDown');
      return selectedRun.count();
    })
    .toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'A proxy far away' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/runs/${runs.slower}`);

  await find('audit', 'Audit log');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Audit log', selected: true }).waitFor();
  await find('rooftop', /^rooftop/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
  await find('share a satellite link alike', /^Do equal users/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Do equal users share a satellite link alike?' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(ui.complaints).toEqual([]);
});
