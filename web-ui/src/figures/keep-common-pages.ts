import type { FigureCell } from './gather-measurements.ts';
import {
  givenDimensions,
  type DimensionValue,
  type GivenDimension,
} from '../../../core/evaluation/figures/figure-choice.ts';

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

type Place = Pick<FigureCell, 'scenario' | 'userAgent' | 'page'>;

/** The value of a dimension where measurements were made; null where there is none, such as a page without that variable. */
export function valueOf(dimension: string, { scenario, userAgent, page }: Place): DimensionValue | null {
  if (isGiven(dimension)) {
    const given: Record<GivenDimension, DimensionValue | null> = {
      page: page.page,
      scenario: scenario.name,
      group: scenario.group,
      userAgent: userAgent.name,
      userClass: userAgent.userClass,
    };
    return given[dimension];
  }
  return readVariable(page.variables, dimension) ?? readVariable(scenario.variables, dimension);
}

/** Of several dimensions; null where one has none. */
export function valuesOf(dimensions: readonly string[], place: Place): DimensionValue[] | null {
  const values = dimensions.map((dimension) => valueOf(dimension, place));
  return values.includes(null) ? null : (values as DimensionValue[]);
}

function isGiven(name: string): name is GivenDimension {
  return (givenDimensions as readonly string[]).includes(name);
}

function readVariable(variables: Readonly<Record<string, DimensionValue>>, name: string): DimensionValue | null {
  return Object.hasOwn(variables, name) ? variables[name]! : null;
}
