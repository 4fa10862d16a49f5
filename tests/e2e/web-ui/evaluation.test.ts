import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { evaluationYaml } from '#tests/support/evaluation.ts';
import { startWebUi, type WebUi } from '#tests/support/web-ui.ts';

let ui: WebUi;
beforeAll(async () => {
  ui = await startWebUi();
});
afterAll(() => ui[Symbol.asyncDispose]());
afterEach(() => expect(ui.complaints).toEqual([]));

test('a YAML text that is wrong is refused at its line and nothing is stored; mended, it is stored, changed and deleted', async () => {
  const page = await ui.open({ path: '/' });
  await page.getByRole('heading', { name: 'Start with a question' }).waitFor();
  await page.getByRole('link', { name: 'New from YAML' }).click();

  const text = page.getByLabel('Evaluation as YAML');
  const wrongLine = evaluationYaml.split('\n').findIndex((line) => line.includes('rounds')) + 1;
  await text.fill(evaluationYaml.replace('rounds: 2', 'rounds: two'));
  await page.getByRole('button', { name: 'Store' }).click();
  await page.getByRole('alert').getByText('must be a whole number').waitFor();
  await page.getByRole('button', { name: `line ${wrongLine}` }).click();
  expect(await text.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe('  rounds: two');
  expect(await (await ui.controller.program('/api/evaluations')).json()).toEqual([]);

  await text.fill(evaluationYaml);
  await page.getByRole('button', { name: 'Store' }).click();
  await page.getByRole('heading', { name: 'Proxy or not' }).waitFor();
  await page.getByText('36 Visits in 6 Rounds').waitFor();

  await page.getByRole('tab', { name: 'YAML' }).click();
  await text.fill((await text.inputValue()).replace('name: Proxy or not', 'name: With and without proxy'));
  await page.getByRole('button', { name: 'Store changes' }).click();
  await page.getByRole('heading', { name: 'With and without proxy' }).waitFor();

  await page.getByRole('button', { name: 'Delete With and without proxy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Start with a question' }).waitFor();
});

test('the template is a valid Evaluation', async () => {
  const page = await ui.open({ path: '/evaluations/new' });
  await page.getByRole('button', { name: 'Store' }).click();
  await page.getByRole('heading', { name: 'HTTP/1.1 v HTTP/2' }).waitFor();
});

test('who changes a text that somebody else has changed since is told, and loses nothing', async () => {
  const created = await ui.controller.program('/api/evaluations', { method: 'POST', headers: { 'content-type': 'application/yaml' }, body: evaluationYaml });
  const { id } = (await created.json()) as { id: string };
  const page = await ui.open({ path: `/evaluations/${id}?view=yaml` });
  const text = page.getByLabel('Evaluation as YAML');
  await text.fill((await text.inputValue()).replace('Proxy or not', 'Mine'));

  const other = evaluationYaml.replace('Proxy or not', 'Theirs');
  await ui.controller.program(`/api/evaluations/${id}?version=1`, { method: 'PUT', headers: { 'content-type': 'application/yaml' }, body: other });
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.getByRole('button', { name: 'Store changes' }).click();
  await page.getByRole('alert').getByText('was changed by somebody else').waitFor();
  expect(await text.inputValue()).toContain('name: Mine');
});
