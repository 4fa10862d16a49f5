import type { Cell, MetricComparison } from '#core/comparison/comparison.ts';
import type { View } from '../use-view.ts';

/** One URL with its cell under each Scenario. */
export interface UrlRow {
  url: string;
  label: string;
  variables: Record<string, number>;
  cells: Map<string, Cell>;
}

/** The cells of one User Agent, or pooled, by URL in the order of the Evaluation. */
export function gatherRows({ cells }: Pick<MetricComparison, 'cells'>, userAgent: string | null): UrlRow[] {
  const own = cells.filter((cell) => cell.userAgent === userAgent);
  return [...Map.groupBy(own, (cell) => cell.url).values()].map((ofUrl) => {
    const { url, label, variables } = ofUrl[0]!;
    return { url, label, variables, cells: new Map(ofUrl.map((cell) => [cell.scenario, cell])) };
  });
}

/** Rows ordered by the mean of a Scenario; those without one come last either way. */
export function sortRows(
  rows: UrlRow[],
  { sortedBy, isDescending }: Pick<View, 'sortedBy' | 'isDescending'>,
): UrlRow[] {
  if (sortedBy === null) return isDescending ? rows.toReversed() : rows;
  const meanOf = (row: UrlRow) => row.cells.get(sortedBy)?.estimate?.mean;
  return rows.toSorted((a, b) => {
    const [meanA, meanB] = [meanOf(a), meanOf(b)];
    if (meanA === undefined || meanB === undefined) return Number(meanA === undefined) - Number(meanB === undefined);
    return isDescending ? meanB - meanA : meanA - meanB;
  });
}

/** Those of a single User Agent have none. */
export function hasReductions(rows: readonly UrlRow[]): boolean {
  return rows.some(({ cells }) => [...cells.values()].some(({ reduction }) => reduction !== null));
}
