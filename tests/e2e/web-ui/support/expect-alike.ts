import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { compareDrawings } from './compare-drawings.ts';

/** Saves every figure of the page, or of a part of it, both ways. Returns their titles. */
export async function expectAlike(page: Page, part: Page | Locator = page): Promise<string[]> {
  const figures = part.getByRole('figure').filter({ has: page.getByRole('button', { name: 'Save' }) });
  const titles: string[] = [];
  for (const figure of await figures.all()) {
    const title = (await figure.getAttribute('aria-label'))!;
    const svg = (await save(figure, 'SVG')).toString();
    expect(
      // Ids are random letters, which may have NaN in them.
      /.{0,300}(NaN|Infinity|"undefined").{0,100}/s.exec(svg.replaceAll(/(?<=id="|#)[A-Za-z]{12}\b/g, ''))?.[0],
      `${title}: attributes without a value`,
    ).toBeUndefined();
    const { onlyInSvg, onlyInPng } = await compareDrawings(page.context().browser()!, {
      svg,
      png: await save(figure, 'PNG'),
    });
    expect.soft(onlyInSvg, `${title}: ink of the SVG that the PNG does not have`).toBeLessThan(0.002);
    expect.soft(onlyInPng, `${title}: ink of the PNG that the SVG does not have`).toBeLessThan(0.002);
    titles.push(title);
  }
  return titles;
}

async function save(figure: Locator, kind: 'SVG' | 'PNG'): Promise<Buffer> {
  const page = figure.page();
  const download = page.waitForEvent('download');
  await figure.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  return readFile(await (await download).path());
}
