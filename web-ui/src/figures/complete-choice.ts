import {
  FigureChoiceSchema,
  listDimensions,
  isNumeric,
  type FigureChoice,
  type DimensionValue,
} from '../../../core/evaluation/figures/figure-choice.ts';
import { type MeasureId, isMeasure } from '../../../core/metrics/measures.ts';
import type { FigureDesign } from '../../../core/record/measurements.ts';
import { extentOf } from '../../../core/statistics/summarize-sample.ts';

/** More lines than this are hard to distinguish: they are put in panels. */
const mostLines = 8;

interface VariedPage {
  variables: Readonly<Record<string, number>>;
}

/** A choice that leaves nothing open. */
export interface CompleteChoice extends Pick<FigureChoice, 'kind' | 'statistic' | 'logY'> {
  logX: boolean;
  title: string | null;
  y: MeasureId;
  /** Null of a distribution, which has none. */
  x: string | null;
  series: string[];
  panels: string[];
  only: NonNullable<FigureChoice['only']>;
}

/** Chooses by the design what a choice leaves open. What the design does not have, it leaves out. */
export function completeChoice(design: FigureDesign, choice: FigureChoice): CompleteChoice {
  const { kind, statistic, title = null, only = {}, logY } = choice;
  const dimensions = listDimensions(design);
  const drawn = new Map(Object.entries(only));
  const known = (names: readonly string[]) => names.filter((name) => dimensions.has(name));
  const x = chooseHorizontal(design, { ...choice, dimensions });
  const panels = choice.panels ? known(choice.panels) : null;
  const series = choice.series
    ? known(choice.series).filter((name) => name !== x)
    : chooseSeries(design, { x, panels: panels ?? choosePanels(design, { x, series: null }) });
  return {
    title,
    kind,
    statistic,
    y: choice.y ?? design.primaryMetric,
    x,
    series: series.filter((name) => !panels?.includes(name)),
    panels: panels ?? choosePanels(design, { x, series }),
    only: Object.fromEntries(Object.entries(only).filter(([name]) => dimensions.has(name))),
    logX: choice.logX ?? (kind === 'line' && x !== null && areMostSmall(drawn.get(x) ?? dimensions.get(x) ?? [])),
    logY,
  };
}

/** The greatest number of an axis over the least, above which it may be logarithmic. */
const widestLinear = 20;
/** The part of a linear axis in which most numbers would be crowded. */
const crowdedRatio = 0.25;

/** Whether a linear axis would have most of these numbers at its lower end, as of 10, 100 and 640. */
function areMostSmall(values: readonly DimensionValue[]): boolean {
  if (!isNumeric(values) || values.length < 3) return false;
  const [least, most] = extentOf(values);
  if (least <= 0 || most / least <= widestLinear) return false;
  const crowded = values.filter((value) => value - least < crowdedRatio * (most - least));
  return crowded.length > values.length / 2;
}

/** The figures with which a report opens: those that the Evaluation declares, or the one that fits its design. */
export function firstChoices(design: FigureDesign): CompleteChoice[] {
  const declared = design.figures.map((figure) => completeChoice(design, figure));
  return declared.length > 0 ? declared : [chooseByDesign(design)];
}

/** The primary metric by what is varied: a line where that is a number, bars of Scenarios where nothing is. */
export function chooseByDesign(design: FigureDesign): CompleteChoice {
  const choice = completeChoice(design, FigureChoiceSchema.parse({}));
  return choice.x === 'scenario' ? { ...choice, kind: 'bars' } : choice;
}

interface Open extends Pick<FigureChoice, 'kind' | 'statistic' | 'x' | 'series' | 'panels'> {
  dimensions: ReadonlyMap<string, DimensionValue[]>;
}

/**
 * The horizontal axis: as chosen, else the variable with the most values that all pages have; else the like of Scenarios; else pages or Scenarios by name.
 * Of a reduction, variables of Scenarios come first.
 */
function chooseHorizontal(design: FigureDesign, open: Open): string | null {
  const { kind, x, dimensions } = open;
  if (kind === 'distribution') return null;
  if (x !== undefined && (dimensions.has(x) || (kind === 'scatter' && isMeasure(x)))) return x;
  if (kind === 'scatter') return 'receivedBytes';
  const taken = [...(open.series ?? []), ...(open.panels ?? [])];
  const isFree = (name: string) => !taken.includes(name);
  const ofPages = mostVaried(design.pages, dimensions, isFree);
  const ofScenarios = mostVaried(design.scenarios, dimensions, isFree);
  const varied = open.statistic === 'reduction' ? (ofScenarios ?? ofPages) : (ofPages ?? ofScenarios);
  if (varied !== null) return varied;
  const named = design.pages.length > 1 ? ['page', 'scenario'] : ['scenario', 'page'];
  return [...named, 'userAgent'].find(isFree)!;
}

/** The numeric variable with the most values that all of them have; null where none has two. */
function mostVaried(
  all: readonly { variables: Readonly<Record<string, DimensionValue>> }[],
  dimensions: ReadonlyMap<string, DimensionValue[]>,
  isFree: (name: string) => boolean,
): string | null {
  const names = Object.keys(all[0]?.variables ?? {}).filter(
    (name) => isFree(name) && all.every(({ variables }) => Object.hasOwn(variables, name)),
  );
  const counted = names
    .filter((name) => isNumeric(dimensions.get(name) ?? []))
    .map((name) => ({ name, count: new Set(all.map(({ variables }) => variables[name])).size }));
  const most = counted.reduce((best, each) => (each.count > best.count ? each : best), { name: '', count: 1 });
  return most.count > 1 ? most.name : null;
}

/** What has a line each: what sets Scenarios apart beside x, variables of pages that would be mixed, and User Agents where they are the question. */
function chooseSeries(design: FigureDesign, { x, panels }: { x: string | null; panels: readonly string[] }): string[] {
  const pageVariables = confoundersOf(design, x).filter((name) => !panels.includes(name));
  if (asksForUsers(design)) return ['userAgent', ...pageVariables].filter((name) => name !== x);
  return [...distinguishScenarios(design, { x, panels }), ...pageVariables].slice(0, 3);
}

/** Groups of Scenarios have a panel each; else Scenarios, where User Agents are the lines; else variables of pages that would make too many lines. */
function choosePanels(
  design: FigureDesign,
  { x, series: given }: { x: string | null; series: readonly string[] | null },
): string[] {
  const series = given ?? [];
  // A panel for each Scenario would have one line.
  const isOfUsers = given === null || series.includes('userAgent') || !series.includes('scenario');
  if (asksForUsers(design) && isOfUsers) return design.scenarios.length > 1 && x !== 'scenario' ? ['scenario'] : [];
  if (!isOfScenarios(design, x) && !areGroupsDistinct(design, series)) return ['group'];
  const [confounder] = confoundersOf(design, x);
  if (confounder === undefined || series.includes(confounder)) return [];
  const values = new Set(design.pages.map(({ variables }) => variables[confounder])).size;
  return design.scenarios.length * values > mostLines ? [confounder] : [];
}

/** Whether users of different classes, or nothing else, are compared. */
function asksForUsers({ scenarios, userAgents }: FigureDesign): boolean {
  if (userAgents.length < 2) return false;
  return scenarios.length === 1 || new Set(userAgents.map(({ userClass }) => userClass)).size > 1;
}

function isOfScenarios({ scenarios, pages }: FigureDesign, name: string | null): boolean {
  if (name === null) return false;
  if (name === 'scenario' || name === 'group') return true;
  return (
    scenarios.some(({ variables }) => Object.hasOwn(variables, name)) &&
    !pages.some(({ variables }) => Object.hasOwn(variables, name))
  );
}

/** Whether Scenarios of different groups are in different series. */
function areGroupsDistinct({ scenarios }: FigureDesign, series: readonly string[]): boolean {
  if (series.includes('scenario') || series.includes('group')) return true;
  const bySeries = Map.groupBy(scenarios, ({ variables }) =>
    JSON.stringify(series.map((name) => variables[name] ?? null)),
  );
  return [...bySeries.values()].every((own) => new Set(own.map(({ group }) => group)).size === 1);
}

/** Variables of Scenarios that, with x and the panels, distinguish them; else their names. */
function distinguishScenarios(
  design: FigureDesign,
  { x, panels }: { x: string | null; panels: readonly string[] },
): string[] {
  const { scenarios } = design;
  if (x === 'scenario' || panels.includes('scenario')) return [];
  if (!panels.includes('group') && !isOfScenarios(design, x)) return ['scenario'];
  const fixed = [...panels, ...(x === null ? [] : [x])];
  const countWith = (names: readonly string[]) =>
    new Set(
      scenarios.map(({ group, variables }) =>
        JSON.stringify(names.map((name) => (name === 'group' ? group : (variables[name] ?? null)))),
      ),
    ).size;
  const chosen: string[] = [];
  for (const name of variedVariables(scenarios)) {
    const names = [...fixed, ...chosen];
    if (countWith([...names, name]) > countWith(names)) chosen.push(name);
  }
  return countWith([...fixed, ...chosen]) === scenarios.length ? chosen : ['scenario'];
}

function variedVariables(all: readonly { variables: Readonly<Record<string, DimensionValue>> }[]): string[] {
  const names = new Set(all.flatMap(({ variables }) => Object.keys(variables)));
  return [...names].filter((name) => new Set(all.map(({ variables }) => variables[name])).size > 1);
}

function confoundersOf(design: FigureDesign, x: string | null): string[] {
  return x === null ? [] : findConfounders(design.pages, x);
}

/**
 * Variables of pages that change beside x without following it, such as the size of the page beside the number of its objects: a line through all pages would
 * zig-zag. With those that are found fixed, all others rise or fall with x. Fewest values first.
 */
export function findConfounders(pages: readonly VariedPage[], x: string): string[] {
  const own = pages.filter(({ variables }) => Object.hasOwn(variables, x));
  const valuesOf = (name: string) => new Set(own.map(({ variables }) => variables[name])).size;
  const names = [...new Set(own.flatMap(({ variables }) => Object.keys(variables)))]
    .filter((name) => name !== x && valuesOf(name) > 1)
    .sort((a, b) => valuesOf(a) - valuesOf(b));
  const found: string[] = [];
  for (const name of names) {
    const rest = names.filter((each) => !found.includes(each));
    const groups = [
      ...Map.groupBy(own, ({ variables }) => JSON.stringify(found.map((each) => variables[each]))).values(),
    ];
    if (groups.every((group) => rest.every((each) => follows(group, x, each)))) break;
    // As many groups as pages leave nothing to draw a line through.
    if (valuesOf(name) < own.length) found.push(name);
  }
  return found;
}

/** Whether a variable only rises, or only falls, with x, and is the same where x is. */
function follows(pages: readonly VariedPage[], x: string, name: string): boolean {
  const pairs = pages
    .map(({ variables }) => ({ x: variables[x]!, y: variables[name] ?? NaN }))
    .sort((a, b) => a.x - b.x);
  const steps = pairs.slice(1).map((pair, index) => ({ dx: pair.x - pairs[index]!.x, dy: pair.y - pairs[index]!.y }));
  if (steps.some(({ dx, dy }) => Number.isNaN(dy) || (dx === 0 && dy !== 0))) return false;
  return steps.every(({ dy }) => dy >= 0) || steps.every(({ dy }) => dy <= 0);
}
