import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { parse } from 'yaml';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { StoredEvaluations } from './support/stored-evaluations.ts';

const ui = useWebUi({ hosts: ['laptop'] });
const evaluations = new StoredEvaluations(ui);

test('a YAML file that is opened, stored and downloaded again means the same, and a duplicate of it too', async () => {
  const page = await ui.open({ path: '/' });
  await page.locator('input[type=file]').setInputFiles({
    name: 'mine.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(evaluationYaml.replace('Proxy or not', 'From a file')),
  });
  await page.getByRole('heading', { name: 'New Evaluation' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'From a file' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download YAML' }).click();
  const chunks = await (await (await download).createReadStream()).toArray();
  const meant = EvaluationSchema.parse(parse(evaluationYaml.replace('Proxy or not', 'From a file')));
  expect(EvaluationSchema.parse(parse(Buffer.concat(chunks as Buffer[]).toString()))).toEqual(meant);

  await page.getByRole('link', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'New Evaluation' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'From a file (2)' }).waitFor();
  const copy = (await evaluations.list()).find(({ name }) => name === 'From a file (2)')!;
  expect((await evaluations.read(copy.id)).document).toEqual({ ...meant, name: 'From a file (2)' });
});

test('URLs are pasted as CSV, a journey as its recording, and a text that is no YAML makes the form wait', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  await page.getByRole('button', { name: 'Paste or upload' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste or upload URLs' });
  await dialog
    .getByRole('textbox', { name: 'URLs' })
    .fill('url,label,images\nhttp://a.test/,"Few, small",5\nhttp://b.test/,Many,many');
  await dialog.getByText('Entry 2: must be a number or "{1}"').waitFor();
  await dialog
    .getByRole('textbox', { name: 'URLs' })
    .fill('url,label,images\nhttp://a.test/,"Few, small",5\nhttp://b.test/,Many,25');
  await dialog.getByRole('button', { name: 'Replace the list' }).click();
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const meant = { url: 'http://a.test/', label: 'Few, small', variables: { images: 5 } };
  expect(parse(await yaml.inputValue())).toMatchObject({ urlLists: { pages: [meant, { label: 'Many' }] } });

  await page.getByRole('button', { name: 'Paste or upload' }).click();
  const recording = (type: string) =>
    JSON.stringify({
      title: 'Log in',
      steps: [
        { type: 'navigate', url: 'http://a.test/' },
        { type: 'change', selectors: [['#password']], value: 'typed text' },
        { type, selectors: [['#go']], assertedEvents: [{ type: 'navigation' }] },
      ],
    });
  await dialog.getByRole('textbox', { name: 'URLs' }).fill(recording('doubleClick'));
  await dialog.getByText('Step 3: must be a step of a journey').waitFor();
  await dialog.getByRole('textbox', { name: 'URLs' }).fill(recording('click'));
  await dialog.getByText('A journey with 2 navigations').waitFor();
  await dialog.getByRole('button', { name: 'Add to the list' }).click();
  await page.getByText('Journey: Log in (3 steps, 2 navigations)').waitFor();
  expect(parse(await yaml.inputValue())).toMatchObject({
    urlLists: { pages: [meant, {}, { journey: { title: 'Log in' } }] },
  });

  await yaml.fill('name: [');
  await page.getByText('The YAML cannot be read').waitFor();
  expect(await page.getByLabel('URL 1', { exact: true }).isDisabled()).toBe(true);
});

test('what was changed in a YAML file that was opened is there again after leaving and coming back, and after a reload', async () => {
  const page = await ui.open({ path: '/' });
  page.on('dialog', (dialog) => void dialog.accept());
  const open = (name: string) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'mine.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(evaluationYaml.replace('Proxy or not', name)),
    });
  const rounds = page.getByLabel('Rounds of each Scenario');
  await open('Opened');
  await rounds.fill('12');
  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
  await page.goBack();
  await page.getByText('Restored from your unsaved draft').waitFor();
  expect(await rounds.inputValue()).toBe('12');
  await page.reload();
  await rounds.waitFor();
  expect(await rounds.inputValue()).toBe('12');

  // The key leaves the file for a new Evaluation at the same address.
  await page.keyboard.press('n');
  await page.getByText('Restored from your unsaved draft').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByText('Restored from your unsaved draft').waitFor();
  expect(await rounds.inputValue()).toBe('12');

  // The same file, opened once more, begins as it is.
  await page.getByRole('link', { name: 'Evaluations', exact: true }).first().click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await open('Opened');
  await rounds.waitFor();
  expect(await rounds.inputValue()).toBe('2');
});

test('a script that is changed in the YAML is shown in its editor, which leaves the YAML as it was typed; while that cannot be read, the editor takes nothing', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const typed = evaluationYaml.replace(
    'baseline: true',
    'baseline:   true   # of mine\n    setUp: [ {host: laptop,   script: "echo 1"} ]',
  );
  await yaml.fill(typed);
  await page.getByText('Scripts before each Round').click();
  const script = page.locator('.cm-content[aria-label="Script 1, run by sh -e"]');
  await script.getByText('echo 1').waitFor();

  await yaml.fill(typed.replace('echo 1', 'echo 2'));
  await script.getByText('echo 2').waitFor();
  expect(await yaml.inputValue()).toBe(typed.replace('echo 1', 'echo 2'));

  const canBeFocused = () =>
    script.evaluate((element) => {
      (element as HTMLElement).focus();
      return document.activeElement === element;
    });
  expect(await canBeFocused()).toBe(true);
  await yaml.fill('name: [');
  await page.getByText('The YAML cannot be read').waitFor();
  expect(await canBeFocused()).toBe(false);
  await yaml.fill(typed);
  await script.fill('echo 3');
  expect(parse(await yaml.inputValue())).toMatchObject({ scenarios: [{ setUp: [{ script: 'echo 3' }] }, {}] });
});

test('a task is added to a URL list, and a page that waits for a mark shows it', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  const form = page.getByRole('group', { name: 'The Evaluation as a form' });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  await form.getByLabel('URL 1', { exact: true }).first().waitFor();
  await form.getByRole('button', { name: 'Add a real-time task' }).first().click();
  const task = form.getByRole('group', { name: /^Task \d$/ });
  await task.getByRole('combobox', { name: 'By' }).click();
  await page.getByRole('option', { name: 'sse' }).click();
  await task.getByLabel('Messages').fill('20');
  await expect
    .poll(() => yaml.inputValue())
    .toMatch(/- task: chat\n +by: sse\n +origin: https?:\/\/[^/\n]+\n +messages: 20\n/);
  await page.getByText('Valid', { exact: true }).waitFor();

  await yaml.fill(
    (await yaml.inputValue()).replace(
      /( +)- task: chat\n +by: .*\n +origin: .*\n +messages: .*\n/,
      '$1- url: http://a.test/\n$1  until: done\n',
    ),
  );
  await form.getByLabel(/^Until \d$/).waitFor();
  await page.getByText('must be "performance mark " and the name of a User Timing mark').first().waitFor();
  await form.getByLabel(/^Until \d$/).fill('performance mark done');
  await page.getByText('Valid', { exact: true }).waitFor();
});
