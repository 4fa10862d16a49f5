import { Table, VisuallyHidden } from '@mantine/core';
import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useMemo, type CSSProperties, type ReactNode } from 'react';
import type { Sorting } from './list/use-sorting.ts';
import { SortButton } from './sort-button.tsx';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** One column of a `DataTable`. */
export interface DataColumn<Row> {
  /** Unique in its table. The heading, unless there is a `heading`. */
  name: string;
  heading?: ReactNode;
  /** What rows are sorted by; null comes last. A column without it cannot be sorted. */
  sortBy?: (row: Row) => string | number | null;
  /** A component with hooks must be an element of what this returns. */
  cell: (row: Row) => ReactNode;
  isNumeric?: boolean;
  /** The cell names its row. */
  isRowHeader?: boolean;
  /** Holds buttons, so that its heading is for screen readers only. */
  isActions?: boolean;
  widthPx?: number;
  style?: CSSProperties;
}

interface DataTableProps<Row> {
  label?: string;
  /** Keep it the same between renders: sorting is computed again for other rows only. */
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Narrower windows scroll the table. */
  minWidthPx: number;
  layout?: 'auto' | 'fixed';
  verticalSpacing?: string | number;
  /** Rows that come sorted, and what sorts them. Without it, the table sorts its rows. */
  sorting?: Sorting;
  /** Of the rows as they are sorted, how many are shown; all unless it is given. */
  mostRows?: number;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
/** Rows in columns. A heading sorts by its column, then the other way, then leaves the order of `rows`. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, minWidthPx, layout = 'auto', verticalSpacing = 7, sorting, mostRows } = props;
  const definitions = useMemo(
    () =>
      columns.map(({ name, sortBy }): ColumnDef<typeof features, Row> => ({
        id: name,
        accessorFn: (row) => sortBy?.(row) ?? undefined,
        enableSorting: sortBy !== undefined,
        sortDescFirst: false,
        sortUndefined: 'last',
        sortFn: (a, b, column) => compareValues(a.getValue(column), b.getValue(column)),
      })),
    [columns],
  );
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowKey });
  return (
    <Table.ScrollContainer minWidth={minWidthPx}>
      <Table highlightOnHover layout={layout} verticalSpacing={verticalSpacing} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Heading
                key={column.name}
                column={column}
                sorting={sorting ? sortingOf(column, sorting) : table.getColumn(column.name)!}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table
            .getRowModel()
            .rows.slice(0, mostRows)
            .map(({ id, original }) => (
              <Table.Tr key={id}>
                {columns.map(({ name, cell, isNumeric, isRowHeader, style }) =>
                  isRowHeader ? (
                    <Table.Th key={name} scope="row" style={style}>
                      {cell(original)}
                    </Table.Th>
                  ) : (
                    <Table.Td key={name} className={isNumeric ? 'numeric' : undefined} style={style}>
                      {cell(original)}
                    </Table.Td>
                  ),
                )}
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface ColumnSorting {
  getCanSort: () => boolean;
  getIsSorted: () => false | 'asc' | 'desc';
  toggleSorting: () => void;
}

interface HeadingProps<Row> {
  column: DataColumn<Row>;
  sorting: ColumnSorting;
}

function sortingOf<Row>({ name, sortBy }: DataColumn<Row>, { by, order, onSort }: Sorting): ColumnSorting {
  const key = name.toLowerCase();
  return {
    getCanSort: () => sortBy !== undefined,
    getIsSorted: () => by === key && (order === 'ascending' ? 'asc' : 'desc'),
    toggleSorting: () => onSort(key),
  };
}

function Heading<Row>({ column: { name, heading, isNumeric, isActions, widthPx }, sorting }: HeadingProps<Row>) {
  if (isActions) {
    return (
      <Table.Th w={widthPx}>
        <VisuallyHidden>{name}</VisuallyHidden>
      </Table.Th>
    );
  }
  const text = heading ?? name;
  const className = isNumeric ? 'numeric' : undefined;
  if (!sorting.getCanSort()) {
    return (
      <Table.Th w={widthPx} className={className}>
        {text}
      </Table.Th>
    );
  }
  const sorted = sorting.getIsSorted();
  const order = sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending';
  return (
    <Table.Th w={widthPx} className={className} aria-sort={order} style={{ whiteSpace: 'nowrap' }}>
      {text} <SortButton order={order} onClick={() => sorting.toggleSorting()} label={`Sort by ${name}`} />
    </Table.Th>
  );
}

/** The order of two values of a column: numbers by size; texts by their letters, with numbers in them by size. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}
