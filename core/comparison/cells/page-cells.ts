import type { UserCellPage, UserCellSearch } from '../../protocol/api/user-cells.ts';
import type { Cell } from '../comparison.ts';

/** Some of the URLs of these cells, in the order of the search; those without a mean under its Scenario come last either way. */
export function pageCells(
  cells: readonly Cell[],
  { sort, order, after, url, limit }: Pick<UserCellSearch, 'sort' | 'order' | 'after' | 'url'> & { limit: number },
): UserCellPage {
  const found = [...Map.groupBy(cells, (cell) => cell.url).values()].filter(
    ([first]) => url === undefined || first!.url === url,
  );
  const direction = order === 'descending' ? -1 : 1;
  const meanOf = (row: readonly Cell[]) => row.find(({ scenario }) => scenario === sort)?.estimate?.mean ?? null;
  const sorted =
    sort === undefined
      ? order === 'descending'
        ? found.toReversed()
        : found
      : found.toSorted((one, other) => {
          const [a, b] = [meanOf(one), meanOf(other)];
          if (a === null || b === null) return Number(a === null) - Number(b === null);
          return direction * (a - b);
        });
  const end = after + limit;
  return {
    cells: sorted.slice(after, end).flat(),
    urls: found.length,
    next: end < found.length ? end : null,
  };
}
