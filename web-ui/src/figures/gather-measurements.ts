import {
  givenDimensions,
  type DimensionValue,
  type GivenDimension,
} from '../../../core/evaluation/figures/figure-choice.ts';
import { takesPart } from '../../../core/evaluation/scenarios/solo-scenarios.ts';
import type { MeasureId } from '../../../core/metrics/measures.ts';
import type { FigureDesign, Measurements } from '../../../core/record/measurements.ts';

/** The values of one (Scenario × User Agent × page). */
export interface FigureCell {
  scenario: FigureDesign['scenarios'][number];
  userAgent: FigureDesign['userAgents'][number];
  page: FigureDesign['pages'][number];
  values: number[];
  /** The mean over the Visits of each Round, by the index of its Block; NaN where there is none. */
  byBlock: Float64Array;
}

/** Every cell that has a value of the measure, in the order of the design. */
export function gatherMeasurements({ design, visits, values }: Measurements, measure: MeasureId): FigureCell[] {
  const column = values[measure] ?? [];
  const blocks = [...new Set(visits.block)].sort((a, b) => a - b);
  const indexOf = new Map(blocks.map((block, index) => [block, index]));
  const cells = new Map<number, { cell: FigureCell; counts: Uint32Array }>();
  const userCount = design.userAgents.length;
  const pageCount = design.pages.length;
  column.forEach((value, visit) => {
    if (value === null) return;
    const [scenario, userAgent, page] = [visits.scenario[visit]!, visits.userAgent[visit]!, visits.page[visit]!];
    const key = (scenario * userCount + userAgent) * pageCount + page;
    let open = cells.get(key);
    if (!open) {
      const cell = {
        scenario: design.scenarios[scenario]!,
        userAgent: design.userAgents[userAgent]!,
        page: design.pages[page]!,
        values: [],
        byBlock: new Float64Array(blocks.length).fill(NaN),
      };
      cells.set(key, (open = { cell, counts: new Uint32Array(blocks.length) }));
    }
    const { values: known, byBlock } = open.cell;
    const block = indexOf.get(visits.block[visit]!)!;
    const before = open.counts[block]!++;
    const mean = byBlock[block]!;
    byBlock[block] = before === 0 ? value : mean + (value - mean) / (before + 1);
    known.push(value);
  });
  return [...cells].sort(([a], [b]) => a - b).map(([, { cell }]) => cell);
}

/**
 * Leaves out the cells of a page and User Agent that not every Scenario of the point has in which the User Agent takes part: means of different pages are not compared. `dimensions`: what
 * distinguishes points. Scenarios are compared where all else is equal, so their own dimensions are left out.
 */
export function keepCommonPages(cells: readonly FigureCell[], dimensions: readonly string[]): FigureCell[] {
  const placeOf = (cell: FigureCell) =>
    JSON.stringify(dimensions.filter((name) => !isOfScenario(name, cell)).map((name) => valueOf(name, cell)));
  return [...Map.groupBy(cells, placeOf).values()].flatMap((own) => {
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
    const pages = Map.groupBy(own, ({ userAgent, page }) => JSON.stringify([userAgent.name, page.page]));
    return [...pages.values()]
      .filter(
        (ofPage) => ofPage.length === scenarios.filter((each) => takesPart(each, ofPage[0]!.userAgent.name)).length,
      )
      .flat();
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
function valuesOf(dimensions: readonly string[], place: Place): DimensionValue[] | null {
  const values = dimensions.map((dimension) => valueOf(dimension, place));
  return values.includes(null) ? null : (values as DimensionValue[]);
}

function isGiven(name: string): name is GivenDimension {
  return (givenDimensions as readonly string[]).includes(name);
}

function readVariable(variables: Readonly<Record<string, DimensionValue>>, name: string): DimensionValue | null {
  return Object.hasOwn(variables, name) ? variables[name]! : null;
}

interface Grouped {
  values: DimensionValue[];
  cells: FigureCell[];
}

/** The cells at each combination of values, in the order of `compare`. */
export function groupByPlace(
  cells: readonly FigureCell[],
  names: readonly string[],
  compare: (a: DimensionValue[], b: DimensionValue[]) => number,
): Grouped[] {
  const groups = new Map<string, Grouped>();
  for (const cell of cells) {
    const values = valuesOf(names, cell);
    if (values === null) continue;
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group) group.cells.push(cell);
    else groups.set(key, { values, cells: [cell] });
  }
  return [...groups.values()].sort((a, b) => compare(a.values, b.values));
}

/** By the order of the values of each dimension. */
export function orderPlaces(lists: readonly DimensionValue[][]): (a: DimensionValue[], b: DimensionValue[]) => number {
  const ranks = lists.map((values) => new Map(values.map((value, index) => [value, index])));
  return (a, b) => {
    const differing = ranks.findIndex((_, index) => a[index] !== b[index]);
    return differing === -1 ? 0 : ranks[differing]!.get(a[differing]!)! - ranks[differing]!.get(b[differing]!)!;
  };
}
