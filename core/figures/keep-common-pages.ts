import type { FigureCell } from './gather-measurements.ts';
import { isGiven, valueOf } from './place-cell.ts';

/**
 * Leaves out the cells of a page and User Agent that not every Scenario of the point has: means of different pages are not compared. `dimensions`: what
 * distinguishes points. Scenarios are compared where all else is equal, so their own dimensions are left out.
 */
export function keepCommonPages(cells: readonly FigureCell[], dimensions: readonly string[]): FigureCell[] {
  const placeOf = (cell: FigureCell) =>
    JSON.stringify(dimensions.filter((name) => !isOfScenario(name, cell)).map((name) => valueOf(name, cell)));
  return [...Map.groupBy(cells, placeOf).values()].flatMap((own) => {
    const scenarios = new Set(own.map(({ scenario }) => scenario.name)).size;
    const pages = Map.groupBy(own, ({ userAgent, page }) => JSON.stringify([userAgent.name, page.page]));
    return [...pages.values()].filter((ofPage) => ofPage.length === scenarios).flat();
  });
}

function isOfScenario(name: string, { page }: FigureCell): boolean {
  return isGiven(name) ? name === 'scenario' || name === 'group' : !Object.hasOwn(page.variables, name);
}
