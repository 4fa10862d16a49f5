import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { chooseExport } from './support/choose-export.ts';

const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  runId = (await storeCompletedRun(ui.controller.database.pool)).runId;
});

test('a Comparison is shared, read without an account, saved, and no longer shown once the link is revoked', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison`, role: 'evaluator' });
  await page.getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this Comparison' });
  await dialog.getByText('90 days').click();
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  const link = await dialog.locator('code').first().innerText();
  await dialog.getByText(`${ui.controller.controller.url} works on this machine only.`).waitFor();
  expect(link).toMatch(new RegExp(`^${ui.controller.controller.url}/shared#hae_share_[\\w-]{43}$`));
  await dialog.getByRole('row', { name: /one-time link/ }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  const reader = await ui.open({ path: new URL(link).pathname + new URL(link).hash, isSignedIn: false });
  await reader.getByRole('heading', { level: 1, name: 'Proxy or not' }).waitFor();
  await reader.getByText(/to read only. The link works until/).waitFor();
  // A choice changes the address, and the link still opens it after a reload.
  await reader.getByRole('radiogroup', { name: 'Latencies from' }).getByText('first request').click();
  await reader.getByText(/Latencies count from the first request/).waitFor();
  await reader.reload();
  await reader.getByText(/Latencies count from the first request/).waitFor();
  await reader.waitForLoadState('networkidle');
  expect(await reader.title()).toBe('Comparison: Proxy or not · HTTP-AE');
  // It leads nowhere else.
  expect(await reader.locator('a:not([href^="#"])').count()).toBe(0);
  expect(await findAccessibilityFaults(reader)).toEqual([]);
  const saving = reader.waitForEvent('download');
  await chooseExport(reader, 'Report as HTML');
  const report = await readFile(await (await saving).path(), 'utf8');
  expect([report.includes('Proxy or not'), report.includes(new URL(link).hash.slice(1))]).toEqual([true, false]);

  await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
  await page.getByRole('dialog', { name: 'Revoke the link?' }).getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('table').waitFor({ state: 'detached' });
  await reader.reload();
  await reader
    .getByRole('alert')
    .getByText(/revoked, has expired or is incomplete/)
    .waitFor();
});

test('a link without its end says so, and a viewer cannot share', async () => {
  const cut = await ui.open({ path: '/shared#hae_share_abc', isSignedIn: false });
  await cut.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  expect(await findAccessibilityFaults(cut)).toEqual([]);
  const viewer = await ui.open({ path: `/runs/${runId}/comparison`, role: 'viewer' });
  const share = viewer.getByRole('button', { name: 'Share…' });
  await viewer.getByRole('group', { name: 'Needs the role evaluator' }).filter({ has: share }).waitFor();
  expect(await share.isDisabled()).toBe(true);
});
