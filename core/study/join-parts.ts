import { FigureChoiceSchema, type FigureChoice } from '../evaluation/figures/figure-choice.ts';
import type { FigureDesign, Measurements } from '../record/measurements.ts';
import { measureIds, type MeasureId } from '../metrics/measures.ts';
import { extentOf } from '../statistics/summarize-sample.ts';
import { isWanted, type StudyMetricId, type Where } from './quantity.ts';
import type { StudyFigureDefinition, StudyValues } from './study-definition.ts';

/** A part that was measured. */
export interface MeasuredPart {
  name: string;
  values: StudyValues;
  measurements: Measurements;
  /** Its Visits, for figures of what crossed a Capture Point. */
  visits?: readonly VisitAtPoints[];
  /** False where one of two Scenarios loses objects that the other has. */
  isComparable?: (scenario: string, against: string) => boolean;
}

/** Bytes of a Visit at each Capture Point. */
export interface VisitAtPoints {
  block: number;
  scenario: string;
  userAgent: string;
  page: string;
  bytesAt?: Readonly<Record<string, number>>;
}

export interface JointFigure {
  measurements: Measurements;
  choice: FigureChoice;
  /** Of the Scenarios that are drawn, those with the fewest and the most Rounds that have a value, by part. */
  rounds: { part: string; least: number; most: number }[];
}

type Pages = FigureDesign['pages'];

/**
 * The measurements of several parts as those of one Run, and the figure to draw of them. Each page of each part is a page by itself, which has the numbers of its part
 * as variables: so means, intervals and reductions stay within parts. Null where no part has what the figure shows.
 */
export function joinParts(figure: StudyFigureDefinition, all: readonly MeasuredPart[]): JointFigure | null {
  const { against, where, series } = figure;
  const y = measureOf(figure.metric);
  const parts = all.flatMap((part) => {
    const drawn = (figure.parts?.includes(part.name) ?? true) ? listDrawn(part, { y, at: figure.at }) : null;
    return drawn === null ? [] : [{ ...part, drawn }];
  });
  const [first] = parts;
  if (!first) return null;
  const { design } = first.measurements;
  const scenarios = unite(parts, ({ scenarios: own }) => own).map(({ name, group, isBaseline, variables, trait }) => ({
    ...{ name, variables, ...(trait !== undefined && { trait }) },
    ...(against === undefined ? { group, isBaseline } : { group: null, isBaseline: name === against }),
    ...(against === undefined && !isComparableInAll(name, parts) && { isComparable: false as const }),
  }));
  const userAgents = unite(parts, ({ userAgents: own }) => own);
  const pages = parts.flatMap((part) => describePages(part, figure));
  const shown = pages.filter(
    ({ variables }) => variables[figure.overLabel] !== undefined && isChosen(variables, where),
  );
  if (shown.length === 0) return null;
  const visits: Measurements['visits'] = { block: [], scenario: [], userAgent: [], page: [] };
  const values: (number | null)[] = [];
  let earlierPages = 0;
  for (const { measurements, drawn, isComparable = () => true } of parts) {
    const { visits: own, design: of } = measurements;
    const isDrawn = of.scenarios.map(
      ({ name }) => against === undefined || name === against || isComparable(name, against),
    );
    const scenarioAt = placesIn(scenarios, of.scenarios);
    const userAgentAt = placesIn(userAgents, of.userAgents);
    own.block.forEach((block, index) => {
      visits.block.push(block);
      visits.scenario.push(scenarioAt[own.scenario[index]!]!);
      visits.userAgent.push(userAgentAt[own.userAgent[index]!]!);
      visits.page.push(earlierPages + own.page[index]!);
      values.push(isDrawn[own.scenario[index]!] ? (drawn[index] ?? null) : null);
    });
    earlierPages += of.pages.length;
  }
  const { confidence, intervalConfidence, primaryMetric } = design;
  return {
    measurements: {
      design: { confidence, intervalConfidence, primaryMetric, scenarios, userAgents, pages, figures: [] },
      available: [y],
      visits,
      values: { [y]: values },
      leftOut: null,
    },
    rounds: parts.flatMap((part) => countRounds(part, { scenarios: figure.scenarios, shown })),
    choice: FigureChoiceSchema.parse({
      title: figure.title,
      y,
      x: figure.overLabel,
      series,
      panels: [],
      only: { scenario: figure.scenarios, page: shown.map(({ page }) => page) },
      statistic: against === undefined ? 'mean' : 'reduction',
      logX: figure.logX,
    }),
  };
}

/** Nothing of a part that has no value of the Scenarios and pages that are drawn. */
function countRounds(
  { name, measurements: { design, visits }, drawn }: MeasuredPart & { drawn: readonly (number | null)[] },
  { scenarios, shown }: { scenarios: readonly string[]; shown: Pages },
): JointFigure['rounds'] {
  const isShown = design.pages.map(({ page }) => shown.some((each) => each.page === nameIn(name, page)));
  const counts = scenarios.flatMap((scenario) => {
    const place = design.scenarios.findIndex((each) => each.name === scenario);
    const counted = visits.block.filter(
      (_, index) => visits.scenario[index] === place && isShown[visits.page[index]!] && (drawn[index] ?? null) !== null,
    );
    return counted.length === 0 ? [] : [new Set(counted).size];
  });
  const [least, most] = extentOf(counts);
  return counts.length === 0 ? [] : [{ part: name, least, most }];
}

/** A page of a part, as the joint measurements name it. */
function nameIn(part: string, page: string): string {
  return `${part}: ${page}`;
}

function isComparableInAll(name: string, parts: readonly MeasuredPart[]): boolean {
  const all = parts.flatMap(({ measurements }) => measurements.design.scenarios);
  return all.every((scenario) => scenario.name !== name || scenario.isComparable !== false);
}

/** The values of each Visit of a part; null where it has none. */
function listDrawn(
  { measurements, visits }: MeasuredPart,
  { y, at }: { y: MeasureId; at: string | undefined },
): (number | null)[] | null {
  if (at === undefined) return measurements.values[y] ?? null;
  const { design, visits: own } = measurements;
  const keyOf = (...place: [block: number, scenario: string, userAgent: string, page: string]) => JSON.stringify(place);
  // Visits of one page in a Round have their mean each.
  const known = Map.groupBy(
    (visits ?? []).filter(({ bytesAt }) => bytesAt?.[at] !== undefined),
    ({ block, scenario, userAgent, page }) => keyOf(block, scenario, userAgent, page),
  );
  if (known.size === 0) return null;
  return own.block.map((block, index) => {
    const scenario = design.scenarios[own.scenario[index]!]!.name;
    const userAgent = design.userAgents[own.userAgent[index]!]!.name;
    const found = known.get(keyOf(block, scenario, userAgent, design.pages[own.page[index]!]!.page)) ?? [];
    const sum = found.reduce((bytes, { bytesAt }) => bytes + bytesAt![at]!, 0);
    return found.length === 0 ? null : sum / found.length;
  });
}

/** The wire has other names in figures. */
function measureOf(metric: StudyMetricId): MeasureId {
  const own = measureIds.find((id) => id === metric);
  return own ?? measureIds.find((id) => id === `wire${metric[0]!.toUpperCase()}${metric.slice(1)}`)!;
}

function describePages(
  { name, values, measurements }: MeasuredPart,
  { over, overLabel }: StudyFigureDefinition,
): Pages {
  const numbers = Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  return measurements.design.pages.map(({ page, label, variables }) => {
    const known = { ...numbers, ...variables };
    const at = known[over];
    return { page: nameIn(name, page), label, variables: { ...known, ...(at !== undefined && { [overLabel]: at }) } };
  });
}

export function isChosen(variables: Readonly<Record<string, number>>, where: Where): boolean {
  return Object.entries(where).every(([name, wanted]) => isWanted(variables[name], wanted));
}

/** All of one kind that the parts have, each once, in the order of the parts. */
function unite<Named extends { name: string }>(
  parts: readonly MeasuredPart[],
  listOf: (design: FigureDesign) => readonly Named[],
): Named[] {
  const found = new Map<string, Named>();
  for (const { measurements } of parts)
    for (const each of listOf(measurements.design)) if (!found.has(each.name)) found.set(each.name, each);
  return [...found.values()];
}

function placesIn(all: readonly { name: string }[], own: readonly { name: string }[]): number[] {
  return own.map(({ name }) => all.findIndex((each) => each.name === name));
}
