import { expect, test } from 'vitest';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { startWebUi } from '#tests/support/web-ui.ts';
import { holdForAll } from '#tests/support/hold.ts';

const ui = holdForAll(startWebUi);

test('an Evaluation is started from a part of a study, and can be changed before it is saved', async () => {
  const page = await ui.open({ path: '/evaluations/new' });
  await page.getByText(/^\d+ case studies of the papers\. This machine can run (all|\d+) of them/).click();
  const card = page
    .getByRole('heading', { name: 'Do equal users share a satellite link alike?' })
    .locator('xpath=../..');
  await card.getByText('Davern et al. 2011, figure 10').waitFor();
  const picture = card.locator('img');
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0);
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await card.getByRole('combobox', { name: 'Part of users' }).click();
  await page.getByRole('option', { name: /^chrome, about \d+ min$/ }).click();
  await card.getByRole('button', { name: 'Create draft from this part' }).click();
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(await yaml.inputValue()).toContain('name: "Study users: five users with Chrome"');
  expect(await yaml.inputValue()).not.toContain('${');
  expect(ui.complaints).toEqual([]);
});

test('the page of a new Evaluation is about as long before the studies are there as afterwards', async () => {
  const page = await ui.open({ path: '/' });
  const answering = Promise.withResolvers<void>();
  await page.route('**/api/studies', async (route) => {
    await answering.promise;
    await route.continue();
  });
  await page.goto(`${ui.controller.controller.url}/evaluations/new`);
  await page.getByRole('heading', { name: 'Or start from a study' }).waitFor();
  // The button that makes the draft is in sight on a small laptop, before anything was scrolled.
  await page.setViewportSize({ width: 1280, height: 700 });
  const make = (await page.getByRole('button', { name: 'Create draft', exact: true }).boundingBox())!;
  expect(make.y + make.height).toBeLessThan(700);
  const heightPx = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await heightPx();
  answering.resolve();
  await page.getByText(/case studies of the papers/).waitFor();
  const ratio = before / (await heightPx());
  expect(ratio).toBeGreaterThan(0.85);
  expect(ratio).toBeLessThan(1.15);
});

test('the pictures of studies are served, and of no other file', async () => {
  const { program } = ui.controller;
  const found = await program('/api/studies/users/picture');
  expect(found.headers.get('content-type')).toContain('image/svg+xml');
  expect(await found.text()).toContain('<svg');
  expect((await program('/api/studies/none/picture')).status).toBe(404);
  expect((await program(`/api/studies/${encodeURIComponent('../studies/users')}/picture`)).status).toBe(404);
});
