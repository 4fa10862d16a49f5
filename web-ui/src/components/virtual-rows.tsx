import { Table } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';

interface VirtualRowsProps<Row> {
  rows: readonly Row[];
  rowHeightPx: number;
  columns: number;
  /** The element that scrolls. */
  scroller: RefObject<HTMLElement | null>;
  children: (row: Row, index: number) => ReactNode;
}

/** Above as many rows, only those in sight are there. */
export const plainRows = 100;

/** The rows of a table body. Of many, only those in sight are in the page, between two rows that keep the place of the others. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  return (
    <Table.Tbody>
      {props.rows.length <= plainRows ? props.rows.map(props.children) : <RowsInSight {...props} />}
    </Table.Tbody>
  );
}

function RowsInSight<Row>({ rows, rowHeightPx, columns, scroller, children }: VirtualRowsProps<Row>) {
  'use no memo'; // The virtualizer changes without changing its identity.
  // The element that scrolls is there only after the first drawing.
  const [, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  // oxlint-disable-next-line react/incompatible-library -- the directive above says so
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 20,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const afterPx = last ? virtualizer.getTotalSize() - last.end : 0;
  return (
    <>
      {first && first.start > 0 && <Gap heightPx={first.start} columns={columns} />}
      {items.map(({ index }) => children(rows[index]!, index))}
      {afterPx > 0 && <Gap heightPx={afterPx} columns={columns} />}
    </>
  );
}

function Gap({ heightPx, columns }: { heightPx: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx, padding: 0 }} />
    </tr>
  );
}
