import { Table } from '@mantine/core';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { formatNumber } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import classes from './waterfall.module.css';
import type { TimeScale } from './time-lane.tsx';
import { useElementSize } from '@mantine/hooks';
import { ScenarioMarker } from '../../components/scenario/scenario-marker.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import type { VisitMarker } from './visit-markers.ts';
import hoverClasses from './hover-line.module.css';

/** The name of one moment, or of several at one place. */
interface PlacedMarker {
  text: string;
  leftPx: number;
  /** From the top, where names would cover each other. */
  row: number;
}

/** Moments nearer than this have one name. */
const nearPx = 3;
const gapPx = 8;
/** Of a letter of the small font, at most. */
const letterPx = 6.6;

/** A Visit whose moments are lines through the lanes. */
interface TimedVisit {
  scale: TimeScale;
  /** Of its Scenario, where there are several. */
  style?: ScenarioStyle | undefined;
}

const rowPx = 14;

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

/** The head of the lanes: milliseconds from navigation start. */
function TimeAxis({ scale: { endMs, ticksMs } }: { scale: TimeScale }) {
  const isSeconds = endMs >= 10_000;
  return (
    <div className={classes.axis} {...timeAxisMark}>
      {ticksMs.map((ms, index) => (
        <span
          key={ms}
          className={classes.tick}
          data-last={index > 0 && ms > 0.96 * endMs}
          style={{ left: `${(100 * ms) / endMs}%` }}
        >
          {isSeconds ? `${formatNumber(ms / 1000, ms % 1000 === 0 ? 0 : 1)} s` : `${formatNumber(ms)} ms`}
        </span>
      ))}
    </div>
  );
}

/** The names of a Visit's moments, over their lines. The legend has their times. */
function MarkerLabels({ scale: { endMs, markers }, style }: TimedVisit) {
  const { ref, width: widthPx } = useElementSize();
  const placed = widthPx === 0 ? [] : placeMarkers(markers, { endMs, widthPx });
  const rows = 1 + Math.max(0, ...placed.map(({ row }) => row));
  return (
    <div ref={ref} className={classes.markers} style={{ height: rows * rowPx }} aria-hidden="true">
      {style && (
        <span className={classes.whose}>
          <ScenarioMarker style={style} />
        </span>
      )}
      {placed.map(({ text, leftPx, row }) => (
        <span key={text} className={classes.markerLabel} style={{ left: leftPx, top: row * rowPx }}>
          {text}
        </span>
      ))}
    </div>
  );
}

/** Names moments where they stand on an axis of that width: in as many rows as they need so that no name covers another. */
export function placeMarkers(
  markers: readonly VisitMarker[],
  { endMs, widthPx }: { endMs: number; widthPx: number },
): PlacedMarker[] {
  const places: { atPx: number; labels: string[] }[] = [];
  for (const { label, atMs } of markers.toSorted((a, b) => a.atMs - b.atMs)) {
    const atPx = (widthPx * atMs) / endMs;
    const last = places.at(-1);
    if (last && atPx - last.atPx <= nearPx) last.labels.push(label);
    else places.push({ atPx, labels: [label] });
  }
  const ends: number[] = [];
  return places.map(({ atPx, labels }) => {
    const text = labels.join(' = ');
    const textPx = text.length * letterPx;
    const leftPx = Math.max(0, Math.min(atPx + 2, widthPx - textPx));
    const free = ends.findIndex((endPx) => leftPx >= endPx + gapPx);
    const row = free === -1 ? ends.length : free;
    ends[row] = leftPx + textPx;
    return { text, leftPx, row };
  });
}

/** What lanes and films over a time axis are marked with, so that the line knows where the axis is. */
const timeAxisMark = { 'data-time-axis': true };

/** A line at the time under the pointer, through all that shares the axis inside. */
function HoverLine({ endMs, children }: { endMs: number; children: ReactNode }) {
  const line = useRef<HTMLDivElement>(null);
  // Drawn without React: it follows each move of the pointer.
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const axis = currentTarget.querySelector('[data-time-axis]')?.getBoundingClientRect();
    if (!axis || !line.current) return;
    const ratio = (clientX - axis.left) / axis.width;
    line.current.hidden = !(ratio >= 0 && ratio <= 1);
    line.current.style.left = `${clientX - currentTarget.getBoundingClientRect().left}px`;
    line.current.dataset.side = ratio > 0.85 ? 'left' : 'right';
    line.current.textContent = formatMs(ratio * endMs);
  };
  return (
    <div
      className={hoverClasses.around}
      onPointerMove={follow}
      onPointerLeave={() => {
        if (line.current) line.current.hidden = true;
      }}
    >
      {children}
      <div ref={line} className={hoverClasses.line} hidden aria-hidden="true" />
    </div>
  );
}
