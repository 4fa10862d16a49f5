import { SortOrderSchema, type SortOrder } from '#core/protocol/api/run-search.ts';
import { useAddress } from './use-address.ts';

/** How a list is sorted, and what a press on a heading changes. */
export interface Sorting {
  /** The name of the column in lower case. */
  by: string;
  order: SortOrder;
  onSort: (by: string) => void;
}

/** Sorting that is in the address. A heading sorts by its column, then the other way, then leaves the order to the default. */
export function useSorting(byDefault: { by: string; order: SortOrder }): Sorting {
  const [search, change] = useAddress();
  const by = search.get('sort') ?? byDefault.by;
  const order = SortOrderSchema.safeParse(search.get('order')).data ?? byDefault.order;
  const onSort = (name: string) => {
    const isDefault = by === byDefault.by && order === byDefault.order;
    if (name !== by) change({ sort: name, order: 'ascending' });
    else if (isDefault || (order === 'ascending' && name !== byDefault.by))
      change({ sort: name, order: order === 'ascending' ? 'descending' : 'ascending' });
    else change({ sort: null, order: null });
  };
  return { by, order, onSort };
}
