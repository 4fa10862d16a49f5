import { Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { HoverLine } from './hover-line.tsx';
import { MarkerLabels, type TimedVisit } from './marker-labels.tsx';
import { TimeAxis } from './time-axis.tsx';
import classes from './waterfall.module.css';

export interface TimeColumn {
  name: string;
  /** The first column has none: it is as wide in every table. */
  widthPx?: number;
  isNumber?: boolean;
  title?: string;
}

interface TimeTableProps {
  label: string;
  /** Of the part that scrolls. */
  region: string;
  columns: readonly TimeColumn[];
  visits: readonly TimedVisit[];
  /** Without its head. Not given where all rows are in the page. */
  rowCount?: number;
  /** Over the axis, a row for each: what was seen. */
  films?: readonly { name: ReactNode; strip: ReactNode }[];
  foot: ReactNode;
  /** Of the table and of the part that scrolls, beside what all have. */
  tableClass?: string | undefined;
  scrollerClass?: string | undefined;
  laneClass?: string | undefined;
  /** The rows, given what scrolls them. */
  children: (scroller: HTMLDivElement | null) => ReactNode;
}

/** Rows of figures with a lane each, and all that shares their time: films above, throughput below, moments and the line under the pointer through all of them. */
export function TimeTable(props: TimeTableProps) {
  const { label, region, columns, visits, rowCount, films = [], foot, laneClass = '', children } = props;
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null); // state, because rows in sight are known only once it is there
  const { scale } = visits[0]!;
  const lane = `${classes.time} ${laneClass}`;
  return (
    <HoverLine endMs={scale.endMs}>
      <div
        ref={setScroller}
        className={`${classes.scroller} ${props.scrollerClass ?? ''}`}
        tabIndex={0}
        role="region"
        aria-label={region}
      >
        <Table
          unstyled
          className={`${classes.table} ${props.tableClass ?? ''}`}
          aria-label={label}
          {...(rowCount !== undefined && { 'aria-rowcount': rowCount + 1 })}
        >
          <colgroup>
            {columns.map(({ name, widthPx }) => (
              <col key={name} style={{ width: widthPx ?? '20%' }} />
            ))}
            <col />
          </colgroup>
          <thead>
            {films.map(({ name, strip }, index) => (
              <tr key={index} className={classes.filmRow}>
                <td colSpan={columns.length}>{name}</td>
                <td className={lane}>{strip}</td>
              </tr>
            ))}
            <tr>
              {columns.map(({ name, isNumber, title }) => (
                <th key={name} scope="col" title={title} className={isNumber ? classes.number : undefined}>
                  {name}
                </th>
              ))}
              <th scope="col" className={lane}>
                <TimeAxis scale={scale} />
                {visits.map((visit, index) => (
                  <MarkerLabels key={index} {...visit} />
                ))}
              </th>
            </tr>
          </thead>
          {children(scroller)}
          <tfoot>{foot}</tfoot>
        </Table>
      </div>
    </HoverLine>
  );
}
