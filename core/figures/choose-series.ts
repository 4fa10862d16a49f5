import type { DimensionValue } from '../evaluation/figures/figure-choice.ts';
import { findConfounders } from './find-confounders.ts';
import type { FigureDesign } from './figure-design.ts';

/** More lines than this are hard to distinguish: they are put in panels. */
const mostLines = 8;

/** What has a line each: what sets Scenarios apart beside x, variables of pages that would be mixed, and User Agents where they are the question. */
export function chooseSeries(
  design: FigureDesign,
  { x, panels }: { x: string | null; panels: readonly string[] },
): string[] {
  const pageVariables = confoundersOf(design, x).filter((name) => !panels.includes(name));
  if (asksForUsers(design)) return ['userAgent', ...pageVariables].filter((name) => name !== x);
  return [...distinguishScenarios(design, { x, panels }), ...pageVariables].slice(0, 3);
}

/** Groups of Scenarios have a panel each; else Scenarios, where User Agents are the lines; else variables of pages that would make too many lines. */
export function choosePanels(
  design: FigureDesign,
  { x, series }: { x: string | null; series: readonly string[] },
): string[] {
  if (asksForUsers(design)) return design.scenarios.length > 1 && x !== 'scenario' ? ['scenario'] : [];
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
