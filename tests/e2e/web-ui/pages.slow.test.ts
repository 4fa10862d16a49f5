import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { recordAgent } from '#controller/agents/agents.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { findAccessibilityFaults, findFaultsInBothSchemes } from '#tests/support/find-accessibility-faults.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { uploadShop } from '#tests/support/make-shop-site.ts';
import { makeLinkCheck } from '#tests/support/sample-link-check.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { startWebUi } from '#tests/support/web-ui.ts';
import { holdForAll } from '#tests/support/hold.ts';

const hostileName = '<img src=x onerror=alert(1)>';
const desktop = { width: 1280, height: 800 };
const tablet = { width: 820, height: 1180 };
const phone = { width: 390, height: 844 };
let fill: (path: string) => string;
let signedIn: Page;
const ui = holdForAll(startWebUi);
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const evaluation = makeEvaluation({ name: hostileName });
  const stored = await storeCompletedRun(pool, { evaluation, snapshotOf: (page) => makePageSnapshot(page, 12) });
  for (const passId of new Set(stored.visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured() });
  await pool.query('update round set link_check = $1 where run_id = $2', [
    JSON.stringify(makeLinkCheck()),
    stored.runId,
  ]);
  const other = await storeCompletedRun(pool, { evaluation });
  const { id: tokenId } = await issueToken(pool, { name: 'laptop', scope: 'agent' });
  await recordAgent(pool, {
    name: 'laptop',
    tokenId,
    agentVersion: '0.1.0',
    facts: { ...hostFacts, bySsh: 'service' },
  });
  const site = await uploadShop(ui.controller, hostileName);
  const visit = stored.visits.find(({ url }) => url.endsWith('/images/1'))!;
  fill = (path) =>
    path
      .replace('EVALUATION', stored.evaluationId)
      .replace('RUN', stored.runId)
      .replace('OTHER', other.runId)
      .replace('VISIT', visit.id)
      .replace('SITE', site.id);
  signedIn = await ui.open({ path: '/' });
});

const pages = [
  ['/sign-in', 'HTTP-AE'],
  ['/', 'Evaluations'],
  ['/evaluations/new', 'New Evaluation'],
  ['/evaluations/EVALUATION', hostileName],
  ['/evaluations/EVALUATION?view=runs', hostileName],
  ['/evaluations/EVALUATION?view=trend', hostileName],
  ['/runs', 'Runs'],
  ['/runs/RUN', hostileName],
  ['/runs/RUN/comparison?url=http%3A%2F%2Forigin.test%2Fimages%2F1&round=1.direct', hostileName],
  ['/runs/compare?runs=RUN,OTHER', 'Runs side by side'],
  ['/runs/RUN/visits', 'Visits'],
  ['/runs/RUN/visits/VISIT', 'origin.test/images/1'],
  ['/runs/999999', 'The Run cannot be shown'],
  ['/hosts', 'Hosts'],
  ['/hosts/ssh', 'Hosts by SSH'],
  ['/sites', 'Sites'],
  ['/sites/SITE', hostileName],
  ['/settings', 'Settings'],
  ['/settings/sessions', 'Settings'],
  ['/settings/tokens', 'Settings'],
  ['/settings/people', 'Settings'],
  ['/settings/audit', 'Settings'],
  ['/settings/retention', 'Settings'],
  ['/settings/no-such-part', 'No such page'],
  ['/har', 'HARs'],
  ['/har?visit=VISIT', 'HARs'],
  ['/help', 'HTTP-AE'],
  ['/help/metrics', 'Metrics'],
  ['/help/no-such-document', 'No such page'],
  ['/no/such/page', 'No such page'],
] as const;

async function show(page: Page, { path, title }: { path: string; title: string }): Promise<void> {
  await page.goto(ui.controller.controller.url + fill(path));
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Where the page as a whole scrolls sideways, what is beyond its edge. */
function findWiderThanPage(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map(({ tagName, className, textContent }) => `${tagName} ${className}: ${textContent.slice(0, 40)}`);
    return [`${scrollWidth} px of ${clientWidth} px`, ...wide];
  });
}

test.for(pages.map(([path, title]) => ({ path, title })))(
  '$path opens without a complaint of the browser or of axe in both colour schemes, and fits a tablet and a phone',
  async ({ path, title }) => {
    const page = path === '/sign-in' ? await ui.open({ path, isSignedIn: false }) : signedIn;
    await page.setViewportSize(desktop);
    await show(page, { path, title });
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(await findFaultsInBothSchemes(page)).toEqual([]);

    for (const small of [tablet, phone]) {
      await page.setViewportSize(small);
      await expect.poll(() => findWiderThanPage(page)).toEqual([]);
    }
    expect(ui.complaints).toEqual([]);
  },
);

test('axe finds nothing where all of a report is open, nor in the form of a new Evaluation', async () => {
  await signedIn.setViewportSize(desktop);
  await show(signedIn, {
    path: `/runs/RUN/comparison?url=${encodeURIComponent('http://origin.test/images/1')}&round=1.direct`,
    title: hostileName,
  });
  await signedIn.getByRole('table', { name: 'Visits' }).getByRole('link').first().waitFor();
  await signedIn.getByText('How it was measured').click();
  await signedIn.getByText(/checks passed$/).click();
  await signedIn.getByRole('table', { name: 'Method' }).waitFor();
  expect(await findFaultsInBothSchemes(signedIn)).toEqual([]);

  await show(signedIn, { path: '/evaluations/new', title: 'New Evaluation' });
  await signedIn.getByRole('button', { name: 'Skip the questions' }).click();
  await signedIn.getByRole('tab').first().waitFor();
  expect(await findFaultsInBothSchemes(signedIn)).toEqual([]);
});

test('the Comparison of two Scenarios has at most three screens', async () => {
  const screen = { width: 1440, height: 900 };
  const page = await ui.open({ path: '/' });
  await page.setViewportSize(screen);
  await show(page, { path: '/runs/OTHER/comparison', title: hostileName });
  await page
    .getByRole('img', { name: /^Chart of Total page load latency by/ })
    .first()
    .waitFor();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight / innerHeight))
    .toBeLessThanOrEqual(3);
});

test('at the width of a tablet the YAML of an Evaluation is a view of its own, and fits', async () => {
  const page = await ui.open({ path: '/' });
  await page.setViewportSize(tablet);
  await show(page, { path: '/evaluations/EVALUATION', title: hostileName });
  await page.getByRole('radiogroup', { name: 'Form or YAML' }).getByText('YAML').click();
  await page.getByRole('textbox', { name: 'Evaluation as YAML' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(tablet.width);
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('a Run that is not there is reported in words', async () => {
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

  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await (await ui.controller.anonymous(path)).bytes()).length),
  );
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(300_000);
});

test('every place can be reached by keyboard alone, and ? lists the keys', async () => {
  const page = await ui.open({ path: '/' });
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await page.keyboard.press('h');
  await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
  await page.keyboard.press('Shift+Slash');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Find anything').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('Help shows the documents of this version, and follows their links without leaving the web UI', async () => {
  const page = await ui.open({ path: '/help/agents' });
  await page.getByRole('link', { name: 'journey', exact: true }).click();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  expect(new URL(page.url()).hash).toBe('#journeys');
  const heading = page.getByRole('heading', { name: 'Journeys' });
  await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(200);
  await page.getByRole('navigation', { name: 'Documents' }).getByRole('link', { name: 'The extension' }).click();
  const picture = page.getByRole('img', { name: 'The options of the extension' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
});
