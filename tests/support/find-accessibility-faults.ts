import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe objects to on a page, each with the first element that it names. */
export async function findAccessibilityFaults(page: Page): Promise<string[]> {
  // The colours of a page fade in: they are judged at the end of it.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
  // By the debugger, which the content security policy of the page does not bind.
  await page.evaluate(await axeSource);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}
