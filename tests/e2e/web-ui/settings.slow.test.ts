import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { storeAuditEntry } from '#controller/people/audit.ts';
import { issueTicket, signInLink } from '#controller/people/sign-in-tickets.ts';
import { storeScriptExecution } from '#controller/runs/rounds.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { findAccessibilityFaults, findFaultsInBothSchemes } from '#tests/support/find-accessibility-faults.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();

test('an admin invites a person, who gets the role of the link, and loses it when the admin says so', async () => {
  const admin = await ui.open({ path: '/settings/people' });
  await admin.getByRole('button', { name: 'Invite a person' }).click();
  await admin.getByRole('dialog').getByLabel('viewer').check();
  await admin.getByRole('button', { name: 'Create a one-time link' }).click();
  const link = new URL(await admin.getByRole('dialog').locator('code').innerText());
  await admin.getByRole('button', { name: 'Done' }).click();
  await admin
    .getByRole('row', { name: /viewer/ })
    .getByRole('button', { name: /Withdraw/ })
    .waitFor();

  const guest = await ui.open({ path: link.pathname + link.hash, isSignedIn: false });
  await guest.getByText('Your role is viewer').waitFor();
  await guest.getByRole('button', { name: 'Create an account' }).click();
  await guest.getByLabel('Name').fill('grace');
  await guest.getByLabel('Password', { exact: true }).fill('correct horse');
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('heading', { name: 'Evaluations', level: 1 }).waitFor();
  await guest.goto(`${ui.controller.controller.url}/settings/people`);
  await guest.getByRole('heading', { name: 'Only for admins' }).waitFor();

  await admin.reload();
  const saved = admin.waitForResponse((response) => response.request().method() !== 'GET');
  await admin.getByLabel('Role of grace').selectOption('evaluator');
  await saved;
  await guest.goto(`${ui.controller.controller.url}/settings`);
  await guest.getByText('Also changes Evaluations and runs them').waitFor();

  await admin.getByRole('button', { name: 'Remove grace' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await admin.getByRole('row', { name: /grace/ }).waitFor({ state: 'detached' });
  await guest.reload();
  await guest.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a person who forgot the password chooses a new one with a link from an admin', async () => {
  const signIn = async (page: Page, password: string) => {
    await page.getByLabel('Name').fill('hopper');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: /Sign in|Create account/ }).click();
  };
  const first = await ui.open({
    path: signInLink('', await issueTicket(ui.controller.controller.pool, 'evaluator')),
    isSignedIn: false,
  });
  await first.getByRole('button', { name: 'Create an account' }).click();
  await signIn(first, 'correct horse');
  await first.getByRole('heading', { name: 'Evaluations', level: 1 }).waitFor();

  const admin = await ui.open({ path: '/settings/people' });
  await admin.getByRole('button', { name: 'New password for hopper' }).click();
  const link = new URL(await admin.getByRole('dialog').locator('code').innerText());
  expect(await findAccessibilityFaults(admin)).toEqual([]);
  await admin.getByRole('button', { name: 'Done' }).click();
  await admin.getByRole('row', { name: /a new password for hopper/ }).waitFor();

  const later = await ui.open({ path: link.pathname + link.hash, isSignedIn: false });
  await later.getByText('For hopper.').waitFor();
  expect(later.url()).toBe(`${ui.controller.controller.url}/sign-in`);
  expect(await findAccessibilityFaults(later)).toEqual([]);
  await later.getByLabel('New password').fill('a battery and a staple');
  await later.getByRole('button', { name: 'Save password' }).click();
  await later.getByRole('button', { name: 'hopper' }).waitFor();

  await first.goto(`${ui.controller.controller.url}/runs`);
  await signIn(first, 'correct horse');
  await first.getByRole('alert').getByText('The name or the password is wrong').waitFor();
  await signIn(first, 'a battery and a staple');
  await first.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
});

test('the audit log lists scripts with their text, which stays text, and can be filtered', async () => {
  const { pool } = ui.controller.database;
  const { runId } = await storeCompletedRun(pool);
  const { rows } = await pool.query<{ id: string }>('select id from round where run_id = $1 limit 1', [runId]);
  const script = 'echo "<img src=x onerror=alert(1)>"';
  await storeScriptExecution(pool, {
    id: crypto.randomUUID(),
    roundId: rows[0]!.id,
    phase: 'set-up',
    host: 'lab-1',
    script,
    exitCode: 3,
    isTimedOut: false,
    durationMs: 5,
    output: '',
  });
  await storeAuditEntry(pool, { actor: 'Bo', action: 'evaluation-deleted', subject: 'Evaluation 7' });

  const page = await ui.open({ path: '/settings/audit' });
  await page.getByRole('row', { name: /Bo.*Deleted an Evaluation.*Evaluation 7/ }).waitFor();
  await page.getByLabel('Action', { exact: true }).selectOption('Ran a script');
  await page.getByRole('row', { name: /Bo/ }).waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /on lab-1/ });
  await row.getByText('exit status 3').waitFor();
  await row.getByText(/^Script/).click();
  expect(await row.locator('pre').innerText()).toBe(script);
  expect(await page.locator('img[src=x]').count()).toBe(0);
  await page.getByLabel('Person, subject or script').fill('no such thing');
  await page.getByText('No matching entries.').waitFor();
});

test('a token for a program is shown once, and revoked', async () => {
  const page = await ui.open({ path: '/settings/tokens' });
  await page.getByRole('button', { name: 'Create a token' }).click();
  await page.getByLabel('Purpose').fill('nightly');
  await page.getByRole('button', { name: 'Create the token' }).click();
  const token = await page.getByRole('dialog').locator('code').innerText();
  const ask = () => ui.controller.anonymous('/api/runs', { headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).status).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke nightly' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /nightly/ }).waitFor({ state: 'detached' });
  expect((await ask()).status).toBe(401);
});

test('a heading sorts its table up, down and back; what is absent comes last', async () => {
  const { pool } = ui.controller.database;
  await pool.query(
    `insert into token (name, scope, role, token_hash, last_used_at) values
      ('sorted 10', 'api', 'viewer', '\\x0a', '2026-01-02'),
      ('sorted 9', 'api', 'viewer', '\\x09', null),
      ('Sorted 1', 'api', 'viewer', '\\x01', '2026-01-01')`,
  );
  const page = await ui.open({ path: '/settings/tokens' });
  const names = () => page.getByRole('rowheader', { name: /sorted/i }).allInnerTexts();
  await page.getByRole('rowheader', { name: 'sorted 10' }).waitFor();
  const unsorted = await names();

  const sort = page.getByRole('button', { name: 'Sort by Name' });
  await sort.click();
  await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  expect(await names()).toEqual(['Sorted 1', 'sorted 9', 'sorted 10']);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await sort.press('Enter');
  expect(await names()).toEqual(['sorted 10', 'sorted 9', 'Sorted 1']);
  await sort.click();
  await page.locator('[aria-sort=ascending], [aria-sort=descending]').waitFor({ state: 'detached' });
  expect(await names()).toEqual(unsorted);

  await page.getByRole('button', { name: 'Sort by Last used' }).click();
  expect(await names()).toEqual(['Sorted 1', 'sorted 10', 'sorted 9']);
  await page.getByRole('button', { name: 'Sort by Last used' }).click();
  expect(await names()).toEqual(['sorted 10', 'Sorted 1', 'sorted 9']);
});

test('a viewer reads all of an Evaluation, and what would change something says why it does not', async () => {
  await storeCompletedRun(ui.controller.database.pool, { evaluation: makeEvaluation({ name: 'for reading' }) });
  const page = await ui.open({ path: '/', role: 'viewer' });
  for (const name of ['Run for reading', 'Delete for reading', 'Import YAML'])
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'New Evaluation' }).press('Enter');
  await page.keyboard.press('n');
  await page.getByRole('link', { name: 'for reading' }).first().click();
  await page.getByRole('heading', { name: 'for reading', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Run for reading' }).isDisabled()).toBe(true);
  await page.getByText('Saved', { exact: true }).waitFor();
});

test('an admin limits how long data are kept, and deletes a Run after a look at what is lost', async () => {
  const { pool } = ui.controller.database;
  const { runId, evaluationId } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ name: 'short-lived' }),
  });
  const page = await ui.open({ path: '/settings/retention' });
  await page.getByLabel('Keep Snapshots').fill('0');
  await page.getByText('Enter a number of days').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await page.getByLabel('Keep Snapshots').fill('90');
  await page.getByRole('button', { name: 'Save' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete what is older?' });
  await asked.getByText(/Snapshots 90.days after the end/).waitFor();
  await asked.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: /Snapshots 90.days after the end/ }).waitFor();

  await page.goto(`${ui.controller.controller.url}/evaluations/${evaluationId}`);
  await page.getByRole('button', { name: 'Retention' }).click();
  await page.getByLabel('Days of its own').check();
  await page.getByLabel('Keep Visits').fill('365');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { rows } = await pool.query('select retention from evaluation where id = $1', [evaluationId]);
  expect(rows).toEqual([{ retention: { snapshotDays: null, visitDays: 365 } }]);
  await page.getByRole('button', { name: 'Retention' }).click();
  expect(await page.getByLabel('Keep Visits').inputValue()).toBe('365');

  await page.goto(`${ui.controller.controller.url}/runs/${runId}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/This deletes the Run, \d+.Rounds and \d+.Visits/)
    .waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'short-lived' }).waitFor({ state: 'detached' });
});

test('the arrow keys go through the parts of Settings, one after the other', async () => {
  const page = await ui.open({ path: '/settings' });
  await page.getByRole('tab', { name: 'You' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**/settings/sessions');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**/settings/tokens');
  await page.getByRole('tab', { name: 'Tokens' }).and(page.locator(':focus')).waitFor();
});

const views = [
  '/settings',
  '/settings/sessions',
  '/settings/tokens',
  '/settings/people',
  '/settings/audit',
  '/settings/retention',
  '/hosts',
];
test('axe finds nothing on Settings and Hosts, in the light scheme and in the dark one', async () => {
  const page = await ui.open({ path: '/hosts' });
  for (const path of views) {
    await page.goto(ui.controller.controller.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect({ path, faults: await findFaultsInBothSchemes(page) }).toEqual({ path, faults: [] });
  }
});
