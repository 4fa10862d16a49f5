import { Table, UnstyledButton } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { WaterfallRow } from '#core/waterfall/build-waterfall.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatMs } from '../../format/format-ms.ts';
import { nameObjects, type ObjectName } from './name-objects.ts';
import { TimeAxis } from './time-axis.tsx';
import { TimeLane, type TimeScale } from './time-lane.tsx';
import classes from './waterfall.module.css';

interface WaterfallTableProps {
  rows: WaterfallRow[];
  scale: TimeScale;
  chosenKey: string | null;
  onChoose: (key: string) => void;
  /** Under the lanes, on their time axis. */
  foot: ReactNode;
}

/** Every request in a row of figures, and beside them its phases on the time axis. */
export function WaterfallTable({ rows, scale, chosenKey, onChoose, foot }: WaterfallTableProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null); // state, because rows in sight are known only once it is there
  const names = useMemo(() => nameObjects(rows.map(({ url }) => url)), [rows]);
  return (
    <div
      ref={setScroller}
      className={classes.scroller}
      tabIndex={0}
      role="region"
      aria-label="Requests on the time axis"
    >
      <Table unstyled className={classes.table} aria-label="Requests" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" style={{ width: '27%' }}>
              Object
            </th>
            <th scope="col" style={{ width: 62 }}>
              Status
            </th>
            <th scope="col" style={{ width: 84 }}>
              Type
            </th>
            <th scope="col" style={{ width: 74 }} className={classes.number}>
              Size
            </th>
            <th
              scope="col"
              style={{ width: 58 }}
              className={classes.number}
              title="Connection, numbered in the order of first use"
            >
              Conn.
            </th>
            <th scope="col" style={{ width: 78 }} className={classes.number}>
              Start
            </th>
            <th scope="col" style={{ width: 78 }} className={classes.number}>
              Duration
            </th>
            <th scope="col" className={classes.time}>
              <TimeAxis scale={scale} />
            </th>
          </tr>
        </thead>
        <VirtualRows rows={rows} rowHeightPx={26} columns={8} scroller={{ current: scroller }}>
          {(row, index) => (
            <tr key={row.key} data-chosen={row.key === chosenKey} aria-rowindex={index + 2}>
              <th scope="row">
                <ObjectButton
                  row={row}
                  name={names.get(row.url)!}
                  isChosen={row.key === chosenKey}
                  onChoose={() => onChoose(row.key)}
                />
              </th>
              <td className={hasFailed(row) ? classes.failed : undefined}>
                {row.fromCache
                  ? 'cache'
                  : (row.status ?? (row.failure ? 'failed' : <AbsentValue reason="No status was reported." />))}
              </td>
              <td>{row.type}</td>
              <td className={classes.number}>
                {row.receivedBytes === null ? (
                  <AbsentValue reason="The size on the connection is not known." />
                ) : (
                  formatBytes(row.receivedBytes)
                )}
              </td>
              <td className={classes.number}>
                {row.connection ?? (
                  <AbsentValue
                    reason={row.fromCache ? 'It came from the cache.' : 'The engine does not report the connection.'}
                  />
                )}
              </td>
              <td className={classes.number}>{formatMs(row.startMs)}</td>
              <td className={classes.number}>{row.endMs === null ? 'in flight' : formatMs(row.endMs - row.startMs)}</td>
              <td className={classes.time}>
                <TimeLane phases={row.phases} scale={scale} />
              </td>
            </tr>
          )}
        </VirtualRows>
        <tfoot>{foot}</tfoot>
      </Table>
    </div>
  );
}

function ObjectButton({
  row,
  name: { name, host },
  isChosen,
  onChoose,
}: {
  row: WaterfallRow;
  name: ObjectName;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <UnstyledButton className={classes.object} aria-pressed={isChosen} title={row.url} onClick={onChoose}>
      <span
        className={classes.need}
        {...(row.viewportNeed && { role: 'img', 'aria-label': 'needed by the initial viewport' })}
      >
        {row.viewportNeed && '◆'}
      </span>
      <span className={hasFailed(row) ? `${classes.name} ${classes.failed}` : classes.name}>{name}</span>
      <span className={classes.host}>{host}</span>
    </UnstyledButton>
  );
}

const hasFailed = ({ failure, status }: WaterfallRow) => failure !== null || (status ?? 0) >= 400;
