import { givenDimensions, type DimensionValue, type GivenDimension } from '../evaluation/figures/figure-choice.ts';
import type { FigureCell } from './gather-measurements.ts';

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

export function isGiven(name: string): name is GivenDimension {
  return (givenDimensions as readonly string[]).includes(name);
}

function readVariable(variables: Readonly<Record<string, DimensionValue>>, name: string): DimensionValue | null {
  return Object.hasOwn(variables, name) ? variables[name]! : null;
}
