import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeSite } from '#site/write-site.ts';
import { makeShopSite, storeReplay, uploadShop } from '#tests/support/make-shop-site.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { holdForAll } from '#tests/support/hold.ts';

const ui = useWebUi();
let file: string;
const folder = holdForAll(makeTemporaryFolder);
beforeAll(async () => {
  file = path.join(folder.path, 'shop.wacz');
  await writeSite(file, makeShopSite(), { nowEpochMs: 1_764_000_000_000 });
});

test('a recording is uploaded, looked at, used in a new Evaluation, and deleted', async () => {
  const page = await ui.open({ path: '/sites' });
  await page.getByText('./http-ae site record').first().waitFor();
  await page.getByRole('button', { name: 'Upload a Site' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a Site' });
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shop');
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();

  await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });
  const hosts = page.getByRole('region', { name: 'Hosts' });
  expect(await hosts.getByRole('row').filter({ hasText: 'cdn.shop.test' }).innerText()).toMatch(/h3, h2\s+20\.0\sms/);
  expect(await rowOf('https://shop.test/').first().innerText()).toMatch(/3\s+110\sms\s+210\sms\s+310\sms/);
  await page.getByRole('region', { name: 'Contents' }).getByRole('row').filter({ hasText: 'image' }).waitFor();
  await page.getByText('cookie (3 times)').waitFor();
  await page.getByText('The pages opened 3 WebSockets in all visits. These are not recorded.').waitFor();

  const waterfall = page.getByRole('region', { name: 'Waterfall of the recording' });
  await waterfall.getByRole('row').filter({ hasText: 'image-3.png' }).waitFor();
  await waterfall.getByRole('combobox', { name: 'Page' }).selectOption({ label: '2. Basket' });
  await waterfall.getByRole('row').filter({ hasText: 'basket' }).first().waitFor();

  await page.getByRole('button', { name: 'Use in a new Evaluation' }).click();
  await page.getByRole('heading', { level: 1, name: 'New Evaluation' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Site' }).inputValue()).toBe('shop');
  await expect.poll(() => page.getByRole('combobox', { name: 'Page' }).inputValue()).toBe('1. Shop');

  await page.goto(`${ui.controller.controller.url}/sites`);
  const deletions: string[] = [];
  page.on('request', (request) => void (request.method() === 'DELETE' && deletions.push(request.url())));
  await rowOf('shop').getByRole('button', { name: 'Delete shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).dblclick();
  await page.getByRole('heading', { name: 'No Sites yet' }).waitFor();
  // The second would find no Site.
  expect(deletions).toHaveLength(1);
});

test('a Visit of a Site says how like its recording it was, and which recorded objects it lacks', async () => {
  const { sha256 } = await uploadShop(ui.controller, 'replayed');
  const { visits, runId } = await storeReplay(ui.controller.database.pool, { name: 'replayed', sha256 });
  const page = await ui.open({ path: `/runs/${runId}/visits/${visits[0]!.id}` });
  const replay = page.getByRole('region', { name: 'Replay' });
  await replay.getByText('page 1 of the Site replayed').waitFor();
  expect(await replay.getByRole('row').filter({ hasText: 'Hosts' }).innerText()).toMatch(/15\s+1$/);
  await replay.getByText('recorded, and not requested').click();
  await replay.getByText('https://cdn.shop.test/image-3.png').waitFor();
  await replay.getByText('1 WebSocket of the recorded page, not replayed').click();
  await replay.getByText('wss://chat.third.test/live').waitFor();

  await page.goto(`${ui.controller.controller.url}/runs/${runId}`);
  const replays = page.getByRole('region', { name: 'Replays' });
  const row = replays.getByRole('row').filter({ hasText: 'alice' }).filter({ hasText: 'proxy' });
  expect(await row.innerText()).toMatch(/https:\/\/shop\.test\/\s+alice\s+proxy\s+[\d.]+\s?%\s+35\s+0\s+2$/);
  await row.getByRole('link').click();
  await replay.waitFor();
});

test('a file that is no recording is refused with the reason, and a name that is taken, too', async () => {
  const page = await ui.open({ path: '/sites' });
  await uploadShop(ui.controller, 'taken');
  await page.getByRole('button', { name: 'Upload a Site' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a Site' });
  const upload = async (chosen: string | { name: string; mimeType: string; buffer: Buffer }, name: string) => {
    await dialog.locator('input[type=file]').setInputFiles(chosen);
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  };
  await upload({ name: 'a.wacz', mimeType: '', buffer: Buffer.from('no archive') }, '');
  await dialog.getByText('The file is no WACZ, which is a zip file').waitFor();
  await upload(file, 'taken');
  await dialog.getByText('Another Site is named "taken"').waitFor();
});

test('the pages of Sites fit a phone, and are for everybody', async () => {
  const { id } = await uploadShop(ui.controller, 'Another shop');
  const page = await ui.open({ path: '/sites', role: 'viewer' });
  for (const each of ['/sites', `/sites/${id}`]) {
    await page.goto(ui.controller.controller.url + each);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(() =>
          page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            return scrollWidth - clientWidth;
          }),
        )
        .toBeLessThanOrEqual(0);
    }
  }
});
