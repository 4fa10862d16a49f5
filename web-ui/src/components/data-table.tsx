import { Button, Table, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { Fragment, useMemo, useState, type CSSProperties, type ReactNode } from 'react';
import { formatNumber } from '../format/format-numbers.ts';
import classes from './data-table.module.css';
import type { Sorting } from './list/use-sorting.ts';
import { SortButton } from './sort-button.tsx';
import type { VirtualRows } from './virtual-rows.tsx';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** One column of a `DataTable`. */
export interface DataColumn<Row> extends RankedColumn {
  /** Unique in its table. The heading, unless there is a `heading`. */
  name: string;
  heading?: ReactNode;
  /** What rows are sorted by; null comes last. A column without it cannot be sorted. */
  sortBy?: (row: Row) => string | number | null;
  /** What the address calls it; the name in lower case unless given. */
  sortKey?: string;
  /** A component with hooks must be an element of what this returns. */
  cell: (row: Row) => ReactNode;
  isNumeric?: boolean;
  /** The cell names its row. */
  isRowHeader?: boolean;
  /** The title of a row that is shown as a block; of no column that says so, the first is. */
  isTitle?: boolean;
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
  /** With all columns. Narrower windows leave out the minor ones, or show rows as blocks; only what still does not fit is scrolled. */
  minWidthPx: number;
  layout?: 'auto' | 'fixed';
  verticalSpacing?: string | number;
  /** Rows that come sorted, and what sorts them. Without it, the table sorts its rows. */
  sorting?: Sorting;
  /** Rows that come all at once, and may be thousands: some are shown at first, and a button shows more. */
  inParts?: boolean;
  /** Many rows of one height, in a frame that scrolls: those in sight are in the page. `Rows` comes with it, as most tables do without. */
  inSight?: { rowHeightPx: number; Rows: typeof VirtualRows };
}

/** More would make the page slow. */
export const rowsAtOnce = 100;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** Rows in columns. A heading sorts by its column, then the other way, then leaves the order of `rows`. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    label,
    rows,
    columns,
    rowKey,
    layout = 'auto',
    verticalSpacing = 7,
    sorting,
    inParts = false,
    inSight,
  } = props;
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
  const { room, shown } = useShownColumns(columns);
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowKey });
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null); // state, because rows in sight are known only once it is there
  const isWhole = room === 'wide' || (room === 'narrow' && shown.length === columns.length);
  const minWidthPx = isWhole ? props.minWidthPx : 0;
  const [most, setMost] = useState(rowsAtOnce);
  const inOrder = table.getRowModel().rows.slice(0, inParts ? most : undefined);
  const more = Math.min(rowsAtOnce, rows.length - inOrder.length);
  const content = (
    <Table
      highlightOnHover
      stickyHeader={inSight !== undefined}
      layout={room === 'stacked' ? 'fixed' : layout}
      verticalSpacing={verticalSpacing}
      miw={inSight && minWidthPx}
      aria-label={label}
    >
      <Table.Thead>
        <Table.Tr>
          {(room === 'stacked' ? [{ ...titleOf(shown), isNumeric: false }] : shown).map((column) => (
            <Heading
              key={column.name}
              column={column}
              sorting={sorting ? sortingOf(column, sorting) : table.getColumn(column.name)!}
            />
          ))}
        </Table.Tr>
      </Table.Thead>
      {inSight && room !== 'stacked' ? (
        <inSight.Rows
          rows={inOrder}
          rowHeightPx={inSight.rowHeightPx}
          columns={shown.length}
          scroller={{ current: scroller }}
        >
          {({ id, original }) => <TableRow key={id} row={original} columns={shown} />}
        </inSight.Rows>
      ) : (
        <Table.Tbody>
          {inOrder.map(({ id, original }) =>
            room === 'stacked' ? (
              <StackedRow key={id} row={original} columns={shown} />
            ) : (
              <TableRow key={id} row={original} columns={shown} />
            ),
          )}
        </Table.Tbody>
      )}
    </Table>
  );
  if (!inSight)
    return (
      <>
        <Table.ScrollContainer minWidth={minWidthPx}>{content}</Table.ScrollContainer>
        {more > 0 && (
          <Button variant="default" w="fit-content" onClick={() => setMost(most + rowsAtOnce)}>
            Show {formatNumber(more)} more
          </Button>
        )}
      </>
    );
  return (
    <div
      ref={setScroller}
      style={room === 'stacked' ? undefined : { overflow: 'auto', maxHeight: '74vh' }}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      {content}
    </div>
  );
}

interface RowProps<Row> {
  row: Row;
  columns: readonly DataColumn<Row>[];
}

function TableRow<Row>({ row, columns }: RowProps<Row>) {
  return (
    <Table.Tr>
      {columns.map(({ name, cell, isNumeric, isRowHeader, style }) =>
        isRowHeader ? (
          <Table.Th key={name} scope="row" style={style}>
            {cell(row)}
          </Table.Th>
        ) : (
          <Table.Td key={name} className={isNumeric ? 'numeric' : undefined} style={style}>
            {cell(row)}
          </Table.Td>
        ),
      )}
    </Table.Tr>
  );
}

/** A row where there is no room for columns: its first value as a title, then the others with their names. */
function StackedRow<Row>({ row, columns }: RowProps<Row>) {
  const title = titleOf(columns);
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes.stack}>
          <div className={classes.first}>{title.cell(row)}</div>
          {columns.map(({ name, heading, cell, isActions }) =>
            name === title.name ? null : isActions ? (
              <div key={name} className={classes.actions}>
                {cell(row)}
              </div>
            ) : (
              <Fragment key={name}>
                <div className={classes.name}>{heading ?? name}</div>
                <div className={classes.value}>{cell(row)}</div>
              </Fragment>
            ),
          )}
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

function titleOf<Row>(columns: readonly DataColumn<Row>[]): DataColumn<Row> {
  return columns.find(({ isTitle }) => isTitle) ?? columns[0]!;
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

function sortingOf<Row>({ name, sortKey, sortBy }: DataColumn<Row>, { by, order, onSort }: Sorting): ColumnSorting {
  const key = sortKey ?? name.toLowerCase();
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

/** How much room a list has: all columns, without the minor ones, or each row as a block of lines. */
type ListRoom = 'wide' | 'narrow' | 'stacked';

// As the widest lists need them; the limits of Mantine's `sm` and of the editor.
const narrowBelow = '(max-width: 68em)';
const stackedBelow = '(max-width: 48em)';

interface RankedColumn {
  /** Left out where the window is narrow: its values are a press away, on the page that the row leads to. */
  isMinor?: boolean;
}

/** The columns that there is room for in this window. Nothing scrolls sideways for the others. */
function useShownColumns<Column extends RankedColumn>(
  columns: readonly Column[],
): { room: ListRoom; shown: readonly Column[] } {
  const isNarrow = useMediaQuery(narrowBelow, false, { getInitialValueInEffect: false });
  const isStacked = useMediaQuery(stackedBelow, false, { getInitialValueInEffect: false });
  const room = isStacked ? 'stacked' : isNarrow ? 'narrow' : 'wide';
  return { room, shown: chooseColumns(columns, room) };
}

export function chooseColumns<Column extends RankedColumn>(
  columns: readonly Column[],
  room: ListRoom,
): readonly Column[] {
  return room === 'wide' ? columns : columns.filter(({ isMinor }) => !isMinor);
}
