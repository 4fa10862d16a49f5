import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAgent, laptopFacts } from '#tests/support/join-agent.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const longName = 'Does a split proxy load these pages faster, with two users on one link?';
const ui = useWebUi();
let runId: string;
let host: AsyncDisposable;
beforeAll(async () => {
  ({ runId } = await storeCompletedRun(ui.controller.database.pool, {
    evaluation: makeEvaluation({ name: longName }),
    totalMsOf: ({ scenario, block }) => (scenario === 'proxy' ? 700 : 1000) + block,
  }));
  // Computes the outcome that lists show.
  expect((await ui.controller.program(`/api/runs/${runId}/comparison`)).status).toBe(200);
  await storeCompletedRun(ui.controller.database.pool);
  host = await joinAgent(ui.controller.controller, {
    name: 'measuring-host-in-the-laboratory',
    facts: { ...laptopFacts, engines: [{ engine: 'chrome', version: 'HeadlessChrome/150.0.7444.59' }] },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

/** What is wider than its place, so that it scrolls sideways: the page itself, or a frame in it. In the header, what is cut too. */
function findSidewaysScroll(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('html, header *, main *')]
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 &&
          (element.tagName === 'HTML' ||
            (element.clientWidth > 0 && element.closest('header') !== null) ||
            /auto|scroll/.test(getComputedStyle(element).overflowX)),
      )
      .map(
        ({ tagName, className, scrollWidth, clientWidth }) => `${tagName} ${className}: ${scrollWidth}/${clientWidth}`,
      ),
  );
}

test('nothing scrolls sideways in a list, on a phone, a tablet or a laptop, and what a row is for stays in it', async () => {
  const page = await ui.open({ path: '/' });
  const lists = [
    ['/', longName, 'Run'],
    ['/runs', longName, '% less time'],
    ['/hosts', 'measuring-host-in-the-laboratory', 'Revoke'],
    [`/runs/${runId}/visits`, '/images/1', 'ms'],
  ] as const;
  for (const [path, name, detail] of lists) {
    await page.goto(ui.controller.controller.url + path);
    for (const width of [1280, 820, 700, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const row = page.getByRole('row').filter({ hasText: name }).first();
      await row.waitFor();
      // The columns follow the width a moment later.
      const message = `${path} at ${width} px`;
      await expect.poll(() => findSidewaysScroll(page), { message }).toEqual([]);
      expect(await row.innerText(), message).toContain(detail);
    }
  }
});

test('j and k move in a list, and Enter opens what they are at', async () => {
  const page = await ui.open({ path: '/runs' });
  await page.getByRole('row').filter({ hasText: longName }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.innerText ?? '');
  await page.keyboard.press('j');
  await expect.poll(focused).toContain('Proxy or not');
  await page.keyboard.press('j');
  await expect.poll(focused).toContain(longName);
  // There is none below.
  await page.keyboard.press('j');
  await expect.poll(focused).toContain(longName);
  await page.keyboard.press('k');
  await expect.poll(focused).toContain('Proxy or not');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: longName }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/runs/${runId}`);
  // In a field, letters are letters.
  await page.goto(`${ui.controller.controller.url}/runs`);
  await page.getByRole('searchbox', { name: 'Search Runs' }).fill('');
  await page.keyboard.type('jk');
  expect(await page.getByRole('searchbox', { name: 'Search Runs' }).inputValue()).toBe('jk');
});

test('Find begins empty each time, offers actions, and knows the words of Help', async () => {
  const page = await ui.open({ path: `/runs/${runId}` });
  await page.getByRole('heading', { level: 1, name: longName }).waitFor();
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Find' });
  const open = async () => {
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => field.evaluateAll(([shown]) => shown !== undefined && shown === document.activeElement))
      .toBe(true);
  };
  await open();
  await field.fill('hosts');
  await page.keyboard.press('Escape');
  // Opened again while it still fades out.
  await open();
  await page.keyboard.type('equivalence');
  await page.getByRole('dialog').getByRole('button', { name: 'How Scenarios are compared' }).waitFor();
  expect(await field.inputValue()).toBe('equivalence');
  await field.fill('share');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Share the Comparison of Run ${runId}` })
    .click();
  await page.getByRole('dialog', { name: 'Share this Comparison' }).waitFor();
  // The link of a machine that nobody else reaches says so.
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByText('works on this machine only').waitFor();
});

test('a search that finds nothing is taken back in its field, which stays', async () => {
  const page = await ui.open({ path: '/runs' });
  const field = page.getByRole('searchbox', { name: 'Search Runs' });
  await field.fill('nothing is called so');
  await page.getByText('No matching Run').waitFor();
  const before = await field.elementHandle();
  await field.fill('');
  await page.getByRole('row').filter({ hasText: longName }).waitFor();
  expect(await before.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('Find adds a host on the page of the Hosts too, as often as it is asked', async () => {
  const page = await ui.open({ path: '/hosts' });
  await page.getByRole('row').filter({ hasText: 'measuring-host' }).waitFor();
  for (const _ of [1, 2]) {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Find' }).fill('add a host');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a host' }).click();
    await page.getByRole('dialog', { name: 'Find' }).waitFor({ state: 'detached' });
    const adding = page.getByRole('dialog', { name: 'Add a host' });
    await adding.getByLabel('Name of the host').waitFor();
    await page.keyboard.press('Escape');
    await adding.waitFor({ state: 'detached' });
  }
  expect(new URL(page.url()).search).toBe('');
});

test('a Run that is not there leads on, and the place of an Evaluation is marked', async () => {
  const page = await ui.open({ path: '/runs/999999' });
  await page.getByRole('alert').getByText('There is no Run 999999').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('row').filter({ hasText: longName }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await page.getByRole('link', { name: longName }).click();
  await page.getByRole('heading', { level: 1, name: longName }).waitFor();
  const place = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Evaluations' });
  expect(await place.getAttribute('aria-current')).toBe('page');
});
