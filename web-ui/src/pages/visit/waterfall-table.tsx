import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { PathStep } from '#core/causes/critical-path.ts';
import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatBytes } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import { nameObjects, type ObjectName } from './name-objects.ts';
import { DetailsBeside } from './details-beside.tsx';
import { RequestDetails } from './request-details.tsx';
import { TimeLane, type TimeScale } from './time-lane.tsx';
import { TimeTable, type TimeColumn } from './time-table.tsx';
import classes from './waterfall.module.css';

interface WaterfallTableProps {
  /** What the requests are of, where there are several such tables. */
  of?: string;
  rows: WaterfallRow[];
  scale: TimeScale;
  /** The steps of the critical path, by the key of their row. */
  path: ReadonlyMap<string, readonly PathStep[]>;
  chosenKey: string | null;
  onChoose: (key: string) => void;
  /** Over and under the lanes, on their time axis. */
  films: { name: ReactNode; strip: ReactNode }[];
  foot: ReactNode;
}

const columns: TimeColumn[] = [
  { name: 'Object' },
  { name: 'Status', widthPx: 62 },
  { name: 'Size', widthPx: 66, isNumber: true },
  { name: 'Duration', widthPx: 84, isNumber: true },
];

/** Every request in a row of figures, and beside them its phases on the time axis. */
export function WaterfallTable({ of, rows, scale, path, chosenKey, onChoose, films, foot }: WaterfallTableProps) {
  const names = useMemo(() => nameObjects(rows.map(({ url }) => url)), [rows]);
  const suffix = of === undefined ? '' : ` of ${of}`;
  return (
    <TimeTable
      label={`Requests${suffix}`}
      region={`Requests${suffix} on the time axis`}
      columns={columns}
      visits={[{ scale }]}
      rowCount={rows.length}
      films={films}
      foot={foot}
    >
      {(scroller) => (
        <VirtualRows rows={rows} rowHeightPx={26} columns={columns.length + 1} scroller={{ current: scroller }}>
          {(row, index) => (
            <tr key={row.key} data-chosen={row.key === chosenKey} aria-rowindex={index + 2}>
              <th scope="row">
                <ObjectButton
                  row={row}
                  name={names.get(row.url)!}
                  path={path.get(row.key) ?? []}
                  isChosen={row.key === chosenKey}
                  onChoose={() => onChoose(row.key)}
                />
              </th>
              <td className={hasFailed(row) ? classes.failed : undefined}>
                {row.fromCache
                  ? 'cache'
                  : (row.status ?? (row.failure ? 'failed' : <AbsentValue reason="No status was reported." />))}
              </td>
              <td className={classes.number}>
                {row.receivedBytes === null ? (
                  <AbsentValue reason="The size on the connection is not known." />
                ) : (
                  formatBytes(row.receivedBytes)
                )}
              </td>
              <td className={classes.number}>{row.endMs === null ? 'in flight' : formatMs(row.endMs - row.startMs)}</td>
              <td className={classes.time}>
                <VisuallyHidden>from {formatMs(row.startMs)}</VisuallyHidden>
                <TimeLane phases={row.phases} path={path.get(row.key) ?? []} scale={scale} />
              </td>
            </tr>
          )}
        </VirtualRows>
      )}
    </TimeTable>
  );
}

/** Which path decided a latency is known of Visits alone. */
const noPath = new Map<string, never>();

/** The same for a load that is no Visit. */
export function PlainWaterfall(props: Pick<WaterfallTableProps, 'of' | 'rows' | 'scale'>) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const toggle = (key: string) => setChosenKey(key === chosenKey ? null : key);
  return <WaterfallTable {...props} path={noPath} chosenKey={chosenKey} onChoose={toggle} films={[]} foot={null} />;
}

function ObjectButton({
  row,
  name: { name, host },
  path,
  isChosen,
  onChoose,
}: {
  row: WaterfallRow;
  name: ObjectName;
  path: readonly PathStep[];
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <DetailsBeside isOpen={isChosen} onClose={onChoose} details={<RequestDetails row={row} path={path} />}>
      <UnstyledButton className={classes.object} title={row.url} onClick={onChoose}>
        <span
          className={classes.need}
          {...(row.viewportNeed && { role: 'img', 'aria-label': 'needed by the initial viewport' })}
        >
          {row.viewportNeed && '◆'}
        </span>
        <span className={hasFailed(row) ? `${classes.name} ${classes.failed}` : classes.name}>{name}</span>
        <span className={classes.host}>{host}</span>
      </UnstyledButton>
    </DetailsBeside>
  );
}

const hasFailed = ({ failure, status }: WaterfallRow) => failure !== null || (status ?? 0) >= 400;
