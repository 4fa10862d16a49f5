import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { postYaml } from '#tests/support/controller.ts';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { StoredEvaluations } from './support/stored-evaluations.ts';

const ui = useWebUi();
const evaluations = new StoredEvaluations(ui);

test('a change that somebody else stored meanwhile is shown with who and what; a merge keeps both changes', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  await page.getByLabel('Rounds of each Scenario').fill('9');
  await ui.controller.program(`/api/evaluations/${id}?version=1`, {
    ...postYaml(evaluationYaml.replace('Proxy or not', 'Theirs')),
    method: 'PUT',
  });

  await page.getByRole('button', { name: 'Save changes' }).click();
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'API token "test" changed this Evaluation while you had it open' });
  await alert.getByText('is now "Theirs"').waitFor();
  expect((await evaluations.read(id)).document.repetition.rounds).toBe(2);

  await alert.getByRole('button', { name: 'Merge my changes into theirs' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect((await evaluations.read(id)).document).toMatchObject({ name: 'Theirs', repetition: { rounds: 9 } });
});

test('what was not stored survives a reload, and leaving it is asked about', async () => {
  const { id } = await evaluations.store(evaluationYaml.replace('Proxy or not', 'Kept'));
  const page = await ui.open({ path: `/evaluations/${id}` });
  page.on('dialog', (dialog) => void dialog.accept());
  const rounds = page.getByLabel('Rounds of each Scenario');
  await rounds.fill('11');
  await page.reload();
  await rounds.waitFor();
  expect(await rounds.inputValue()).toBe('11');

  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  const asked = page.getByRole('dialog', { name: 'Discard changes?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await asked.waitFor({ state: 'detached' });
  expect(await rounds.inputValue()).toBe('11');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  expect(await rounds.inputValue()).toBe('2');
  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
});

test('an Evaluation that is deleted is left at once, whatever of it was not saved', async () => {
  const { id } = await evaluations.store(evaluationYaml.replace('Proxy or not', 'Unwanted'));
  const page = await ui.open({ path: `/evaluations/${id}` });
  await page.getByLabel('Rounds of each Scenario').fill('13');
  await page.getByRole('button', { name: 'Delete Unwanted' }).click();
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  expect(await page.getByRole('dialog', { name: 'Leave without saving?' }).count()).toBe(0);
});

test('a text that is too long for the tab to keep can still be written and saved', async () => {
  const { id } = await evaluations.store(evaluationYaml.replace('Proxy or not', 'Long'));
  const page = await ui.open({ path: `/evaluations/${id}` });
  // As a browser does whose room for the page is used up.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota is exceeded', 'QuotaExceededError');
    };
  });
  await page.getByLabel('Rounds of each Scenario').fill('12');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect((await evaluations.read(id)).document.repetition.rounds).toBe(12);
});

test('a new Evaluation that was begun is there again after another one was duplicated', async () => {
  const { id } = await evaluations.store(evaluationYaml.replace('Proxy or not', 'Another'));
  const page = await ui.open({ path: '/evaluations/new' });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Skip the questions' }).click();
  const name = page.getByLabel('Name', { exact: true }).first();
  await name.fill('Half done');
  for (const [path, expected] of [
    [`/evaluations/new?copy=${id}`, 'Another (2)'],
    ['/evaluations/new', 'Half done'],
  ] as const) {
    await page.goto(ui.controller.controller.url + path);
    await name.waitFor();
    expect(await name.inputValue()).toBe(expected);
  }
  const warning = page.getByText('Another Evaluation has the same name');
  expect(await warning.count()).toBe(0);
  await name.fill('Another');
  await warning.waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('a new Evaluation that is being stored is not taken for another one of the same name', async () => {
  const page = await ui.open({ path: '/evaluations/new' });
  await page.getByRole('button', { name: 'Skip the questions' }).click();
  await page.getByLabel('Name', { exact: true }).first().fill('Stored slowly');
  const answering = Promise.withResolvers<void>();
  await page.route('**/api/evaluations', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    await answering.promise;
    await route.fulfill({ response });
  });
  let isWarned = false;
  const warning = page.getByText('Another Evaluation has the same name');
  void warning.waitFor().then(
    () => (isWarned = true),
    () => undefined,
  );

  const refreshed = page.waitForResponse(
    async (response) =>
      response.request().method() === 'GET' &&
      response.url().endsWith('/api/evaluations') &&
      (await response.text()).includes('"Stored slowly"'),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // As when one comes back to the tab: the list is requested again.
  const focusing = setInterval(() => void page.evaluate(() => dispatchEvent(new Event('visibilitychange'))), 500);
  await refreshed;
  clearInterval(focusing);
  await pause(500);
  answering.resolve();
  await page.getByRole('heading', { level: 1, name: 'Stored slowly' }).waitFor();
  expect(isWarned).toBe(false);
});

test('a new Evaluation that is stored cannot be stored again while its page is on its way', async () => {
  const page = await ui.open({ path: '/evaluations/new' });
  await page.getByRole('button', { name: 'Skip the questions' }).click();
  await page.getByLabel('Name', { exact: true }).first().fill('Stored once');
  const arriving = Promise.withResolvers<void>();
  await page.route('**/assets/evaluation-page*', async (route) => {
    await arriving.promise;
    await route.continue();
  });
  const stored = page.waitForResponse((response) => response.request().method() === 'POST');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await stored;
  await pause(500);
  expect(await save.isDisabled()).toBe(true);
  arriving.resolve();
  await page.getByRole('heading', { level: 1, name: 'Stored once' }).waitFor();
});
