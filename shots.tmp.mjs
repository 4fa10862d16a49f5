import { chromium } from 'playwright-core';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
const [link, folder, ...extra] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: findChrome(), args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
await page.goto(link);
await page.getByRole('button', { name: 'Later' }).click().catch(() => {});
await page.waitForURL('**/comparison');
const comparison = new URL(page.url()).pathname;
const run = comparison.replace('/comparison', '');
const origin = new URL(link).origin;
await page.goto(origin + run);
await page.waitForTimeout(1500);
const visit = await page.evaluate(async (r) => { const t = await (await fetch(`/api${r}/visits?format=json`)).json(); return t; }, run).catch((e) => String(e));
const ids = Array.isArray(visit) ? visit.map((v) => v.visit ?? v.visit_id ?? v.id) : [];
console.log(comparison, ids.slice(0, 3), Array.isArray(visit) ? Object.keys(visit[0]).slice(0, 12) : visit);
const paths = { runs: '/runs', evaluations: '/evaluations', new: '/evaluations/new', run, comparison, ...Object.fromEntries(extra.map((e) => e.split('='))) };
for (const [name, path] of Object.entries(paths)) for (const scheme of ['light', 'dark']) for (const width of [1440, 1280, 820]) {
  const own = await context.newPage();
  await own.setViewportSize({ width, height: 900 });
  await own.emulateMedia({ colorScheme: scheme });
  await own.goto(origin + path);
  await own.waitForTimeout(1800);
  await own.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png` });
  await own.close();
}
await browser.close();
