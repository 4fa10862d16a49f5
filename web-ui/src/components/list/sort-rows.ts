import type { SortOrder } from '#core/protocol/api/sort-order.ts';
import { compareValues } from '../compare-values.ts';

/** Rows by a value of each; those without a value come last in both orders. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number | null,
  order: SortOrder,
): Row[] {
  const sign = order === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compareValues(a, b);
  });
}
