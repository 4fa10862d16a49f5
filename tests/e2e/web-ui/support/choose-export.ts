import type { Page } from 'playwright-core';

/** Takes a Comparison away as one of the files that its menu offers. */
export async function chooseExport(page: Page, name: 'Report as HTML' | 'Visits as CSV'): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name }).click();
}
