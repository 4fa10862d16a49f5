import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEvaluation } from '#tests/support/evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { startWebUi, type WebUi } from '#tests/support/web-ui.ts';

const hostileName = '<img src=x onerror=alert(1)>';
let ui: WebUi;
let stored: { evaluationId: string; runId: string };
beforeAll(async () => {
  ui = await startWebUi();
  stored = await storeCompletedRun(ui.controller.database.pool, { evaluation: makeEvaluation({ name: hostileName }) });
});
afterAll(() => ui[Symbol.asyncDispose]());

const pages = [
  ['/', 'Evaluations'],
  ['/evaluations/new', 'New Evaluation'],
  ['/evaluations/EVALUATION', hostileName],
  ['/evaluations/EVALUATION?view=runs', hostileName],
  ['/evaluations/EVALUATION?view=yaml', hostileName],
  ['/runs', 'Runs'],
  ['/runs/RUN', hostileName],
  ['/runs/RUN/comparison', hostileName],
  ['/hosts', 'Hosts'],
  ['/settings', 'Settings'],
  ['/no/such/page', 'No such page'],
] as const;

const cases = pages.flatMap(([path, title]) => (['light', 'dark'] as const).map((colorScheme) => ({ path, title, colorScheme })));

test.for(cases)('$path opens in the $colorScheme scheme without a complaint of the browser', async ({ path, title, colorScheme }) => {
  const page = await ui.open({ path: path.replace('EVALUATION', stored.evaluationId).replace('RUN', stored.runId), colorScheme });
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(ui.complaints).toEqual([]);
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(colorScheme);
});

test('a Run that is not there is told of in words', async () => {
  const page = await ui.open({ path: '/runs/999999' });
  await page.getByRole('alert').getByText('There is no Run 999999').waitFor();
});

test('the first page needs at most 300 kB of script, and no chart', async () => {
  const page = await ui.open({ path: '/' });
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await page.waitForLoadState('networkidle');
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
  const scripts = urls.map((url) => new URL(url).pathname).filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((path) => path.includes('chart'))).toEqual([]);

  const sizes = await Promise.all(scripts.map(async (path) => gzipSync(await (await ui.controller.anonymous(path)).bytes()).length));
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(300_000);
});

test('every place can be reached by keyboard alone, and ? lists the keys', async () => {
  const page = await ui.open({ path: '/' });
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await page.keyboard.press('h');
  await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
  await page.keyboard.press('Shift+Slash');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
});
