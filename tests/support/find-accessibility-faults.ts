import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe objects to on a page, each with the first element that it names. */
export function findAccessibilityFaults(page: Page): Promise<string[]> {
  return runAxe(page, {});
}

/** The same in the light scheme, and what it objects to in the colours of the dark one. The page keeps that. */
export async function findFaultsInBothSchemes(page: Page): Promise<string[]> {
  await show(page, 'light');
  const faults = await runAxe(page, {});
  await show(page, 'dark');
  return [...faults, ...(await runAxe(page, { runOnly: ['color-contrast'] }))];
}

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

async function runAxe(page: Page, options: RunOptions): Promise<string[]> {
  // The colours of a page fade in: they are judged at the end of it.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
  // By the debugger, which the content security policy of the page does not bind.
  await page.evaluate(await axeSource);
  const { violations } = await page.evaluate(
    (chosen) => (globalThis as unknown as { axe: { run: (each: RunOptions) => Promise<AxeResults> } }).axe.run(chosen),
    options,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}
