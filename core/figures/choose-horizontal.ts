import type { DimensionValue, FigureChoice } from '../evaluation/figures/figure-choice.ts';
import { isNumeric } from '../evaluation/figures/list-dimensions.ts';
import { isMeasure } from '../metrics/measures.ts';
import type { FigureDesign } from './figure-design.ts';

interface Open extends Pick<FigureChoice, 'kind' | 'statistic' | 'x' | 'series' | 'panels'> {
  dimensions: ReadonlyMap<string, DimensionValue[]>;
}

/**
 * The horizontal axis: as chosen, else the variable with the most values that all pages have; else the like of Scenarios; else pages or Scenarios by name.
 * Of a reduction, variables of Scenarios come first.
 */
export function chooseHorizontal(design: FigureDesign, open: Open): string | null {
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
