import { expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { StoredEvaluations } from './support/stored-evaluations.ts';

const ui = useWebUi({ hosts: ['laptop'] });
const evaluations = new StoredEvaluations(ui);

test('a new Evaluation is made in the form: errors appear at their fields, the YAML says the same, and it is stored, deleted and restored', async () => {
  const page = await ui.open({ path: '/' });
  await page.getByRole('heading', { name: 'Start with a question' }).waitFor();
  await page.getByText('laptop connected').waitFor();
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^An Evaluation lists pages/),
    expect.stringMatching(/^Run it and read the Comparison/),
  ]);
  await page.getByRole('link', { name: 'New Evaluation' }).click();
  await page.getByRole('button', { name: 'Skip the questions' }).click();
  const form = page.getByRole('group', { name: 'The Evaluation as a form' });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });

  await form.getByLabel('Name', { exact: true }).first().fill('Pages of mine');
  const url = form.getByLabel('URL 1', { exact: true });
  await url.fill('ftp://origin.test/{1..3}');
  await page.getByText('only http: and https: can be measured').first().waitFor();
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(await evaluations.list()).toEqual([]);

  await url.fill('http://origin.test/{1..3}');
  await page.getByText('Valid', { exact: true }).waitFor();
  await form.getByRole('button', { name: '3 URLs' }).waitFor();
  expect(await yaml.inputValue()).toContain('name: Pages of mine');

  await yaml.fill((await yaml.inputValue()).replace('rounds: 5', 'rounds: 7'));
  expect(await form.getByLabel('Rounds of each Scenario').inputValue()).toBe('7');
  await form.getByText('laptop has chrome (150)').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Pages of mine' }).waitFor();
  const [{ id } = { id: '' }] = await evaluations.list();
  expect((await evaluations.read(id)).document).toMatchObject({
    repetition: { rounds: 7 },
    userAgents: [{ host: 'laptop' }, { host: 'laptop' }],
  });

  await page.getByRole('button', { name: 'Delete Pages of mine' }).click();
  await page.getByRole('heading', { name: 'Start with a question' }).waitFor();
  await page.getByRole('button', { name: 'Undo: restore Pages of mine' }).click();
  await page.getByRole('link', { name: 'Pages of mine' }).waitFor();
  expect((await evaluations.read(id)).version).toBe(1);
});

test('three questions make an Evaluation that is stored and run with one press, and its draft is there again after a reload', async () => {
  const page = await ui.open({ path: '/evaluations/new' });
  page.on('dialog', (dialog) => void dialog.accept());
  const addresses = page.getByLabel('Addresses of the pages');
  const make = page.getByRole('button', { name: 'Create draft', exact: true });
  await make.click();
  await page.getByText('Enter the address of a page').waitFor();
  await addresses.fill('ftp://origin.test/');
  await page.getByText('only http: and https: can be measured').waitFor();
  // Chromium takes a space in a host, and the Controller does not.
  for (const [text, problem] of [
    ['foo bar', 'is not a URL'],
    ['origin.test/{5..1', 'has { without }'],
  ] as const) {
    await addresses.fill(text);
    await page.getByText(problem).waitFor();
    expect(await make.isDisabled()).toBe(true);
  }
  await addresses.fill('origin.test/a\nhttp://origin.test/{1..3}');
  await page.getByText('4 pages', { exact: true }).waitFor();
  expect(await page.getByRole('radio', { name: 'One link vs another' }).isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'Direct vs proxy' }).click();
  await make.click();
  await page.getByText('is not a proxy address').waitFor();
  await page.getByLabel('Address of the proxy').fill('http://proxy.test:3128');
  await page.getByRole('textbox', { name: 'User Agents' }).fill('3');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await make.click();
  await page.getByText('144 Visits in 12 Rounds').waitFor();
  const plan = page.getByRole('button', { name: /^144.Visits, more than \d/ });
  const start = page.getByRole('button', { name: 'Save and run' });
  expect(Math.abs((await plan.boundingBox())!.y - (await start.boundingBox())!.y)).toBeLessThan(40);
  await page.getByLabel('Rounds of each Scenario').fill('4');
  await page.reload();
  await page.getByText('Restored from your unsaved draft').waitFor();
  expect(await page.getByLabel('Rounds of each Scenario').inputValue()).toBe('4');

  await page.getByRole('button', { name: 'Save and run' }).click();
  await page.waitForURL('**/runs/*');
  await page.getByRole('heading', { name: 'Direct vs proxy', level: 1 }).waitFor();
  const made = (await evaluations.list()).find(({ name }) => name === 'Direct vs proxy')!;
  expect((await evaluations.read(made.id)).document).toMatchObject({
    urlLists: { pages: [{ url: 'https://origin.test/a' }, { url: 'http://origin.test/{1..3}' }] },
    scenarios: [
      { name: 'Direct', baseline: true },
      { name: 'Proxy', browser: { proxy: 'http://proxy.test:3128' } },
    ],
    userAgents: [1, 2, 3].map((number) => ({ name: `User ${number}`, host: 'laptop', engine: 'chrome' })),
    repetition: { rounds: 4 },
  });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped').first().waitFor();

  await page.goto(`${ui.controller.controller.url}/evaluations/new`);
  await addresses.waitFor();
});

test('what the Controller refuses is said in the bar that stays, and the focus goes to the field', async () => {
  const page = await ui.open({ path: '/evaluations/new' });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Skip the questions' }).click();
  await page.getByText('laptop has chrome (150)').waitFor();
  // On its way, the address becomes one that the Controller alone refuses.
  await page.route('**/api/evaluations', (route, request) => {
    const text = request.postData();
    return route.continue(text ? { postData: text.replace('https://origin.example/', 'https://foo bar/') } : {});
  });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'Not saved:' }).waitFor();
  const url = page.getByLabel('URL 1', { exact: true });
  await expect.poll(() => url.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  const { y } = (await url.boundingBox())!;
  expect(y > 0 && y < 800).toBe(true);
  // Nobody knows whether another text is refused.
  await url.fill('http://origin.test/');
  await page.getByText('Not saved yet').waitFor();
  expect(await url.getAttribute('aria-invalid')).not.toBe('true');
});

test('a YAML file that would replace changes asks first, whether it is opened or dropped', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const open = (name: string) =>
    page.locator('aside input[type=file]').setInputFiles({
      name: 'mine.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(`name: ${name}\n`),
    });
  await open('Opened');
  await expect.poll(() => yaml.inputValue()).toBe('name: Opened\n');

  await yaml.fill('name: Typed\n');
  await open('Opened');
  const question = page.getByRole('dialog', { name: 'Replace your changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await yaml.inputValue()).toBe('name: Typed\n');

  await yaml.evaluate((area) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['name: Dropped\n'], 'mine.yaml'));
    area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect.poll(() => yaml.inputValue()).toBe('name: Dropped\n');
});

test('the bar of actions covers no field of a narrow window, and the parts of an Evaluation are links', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  const save = page.getByRole('button', { name: 'Save changes' });
  const topAfterScroll = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    return (await save.boundingBox())!.y;
  };
  expect(await topAfterScroll(1280)).toBeGreaterThan(0);
  expect(await topAfterScroll(360)).toBeLessThan(0);

  await page.setViewportSize({ width: 1280, height: 800 });
  const runs = page.getByRole('tab', { name: 'Runs', exact: true });
  const opened = page.context().waitForEvent('page');
  await runs.click({ modifiers: ['ControlOrMeta'] });
  const other = await opened;
  await other.getByRole('tab', { name: 'Runs', exact: true, selected: true }).waitFor();
  expect(page.url()).not.toContain('view=');
  await runs.click();
  await page.waitForURL('**?view=runs');
  await page.getByRole('tab', { name: 'What will be measured' }).click();
  await page.waitForURL(`**/evaluations/${id}`);
});
