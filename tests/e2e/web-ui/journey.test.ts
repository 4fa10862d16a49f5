import { expect, test } from 'vitest';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { CliProcess } from '#tests/browser/support/cli-process.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { issueTicket, signInLink } from '#controller/access/issue-ticket.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { evaluatorBrowsers, startWebUi } from '#tests/support/web-ui.ts';

test.for(evaluatorBrowsers)('in %s: from an empty database, by the web UI alone, to a comparison that is read', async (evaluatorBrowser) => {
  await using stack = new AsyncDisposableStack();
  const origin = stack.adopt(await startOrigin(), (it) => it.close());
  const ui = stack.use(await startWebUi(evaluatorBrowser));
  const { pool } = ui.controller.controller;

  const page = await ui.open({ path: signInLink('', await issueTicket(pool)), isSignedIn: false });
  page.setDefaultTimeout(90_000);
  await page.getByLabel('Name').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Keep this account' }).click();
  await page.getByRole('heading', { name: 'Start with a question' }).waitFor();

  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await page.getByRole('button', { name: 'Add a host' }).first().click();
  await page.getByLabel('Name of the host').fill('laptop');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const command = await page.getByRole('dialog').locator('code').first().innerText();
  const words = command.split(' ').map((word) => word.replaceAll("'", ''));
  expect(words.shift()).toBe('./http-ae');
  const home = stack.use(await makeTemporaryFolder());
  stack.use(new CliProcess(words, { HOME: home.path, HTTP_AE_HOME: home.path, HTTP_AE_CHROME: findChrome() }));
  await page.getByText('laptop is connected').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /laptop.*chrome/ }).waitFor();

  await page.getByRole('link', { name: 'Evaluations' }).first().click();
  await page.getByRole('link', { name: 'New Evaluation' }).click();
  const form = page.getByRole('group', { name: 'The Evaluation as a form' });
  await form.getByLabel('Name', { exact: true }).first().fill('Few and many');
  await form.getByLabel('URL 1', { exact: true }).fill(`${origin.httpUrl}/images/{1,3}`);
  await form.getByLabel('Rounds of each Scenario').fill('3');
  await page.getByText('Nothing is wrong.').waitFor();
  await page.getByRole('button', { name: 'Store' }).click();
  await page.getByRole('heading', { level: 1, name: 'Few and many' }).waitFor();

  await page.getByRole('button', { name: 'Run' }).first().click();
  await page.getByRole('link', { name: /Comparison/ }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Few and many' }).waitFor();
  await page.getByRole('table', { name: /per URL/i }).waitFor();
  expect(ui.complaints).toEqual([]);
});
