import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WaterfallRow } from '#core/waterfall/build-waterfall.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';
import { hostOf } from './name-objects.ts';
import { TimeLane, type TimeScale } from './time-lane.tsx';
import { TimeTable, type TimeColumn } from './time-table.tsx';
import classes from './waterfall.module.css';

interface ConnectionLanesProps {
  rows: WaterfallRow[];
  scale: TimeScale;
  films: { name: ReactNode; strip: ReactNode }[];
  foot: ReactNode;
}

/** As wide as those of the requests: the time axis stays where it is. */
const columns: TimeColumn[] = [
  { name: 'Connection' },
  { name: 'Protocol', widthPx: 70 },
  { name: 'Requests', widthPx: 80, isNumber: true },
  { name: 'Size', widthPx: 62, isNumber: true },
];

/** One lane for each transport connection, with all that it carried. It shows when connections were idle, and how many were in use together. */
export function ConnectionLanes({ rows, scale, films, foot }: ConnectionLanesProps) {
  const carried = [
    ...Map.groupBy(
      rows.filter(({ connection }) => connection !== null),
      ({ connection }) => connection!,
    ),
  ].sort(([one], [other]) => one - other);
  return (
    <TimeTable
      label="Connections"
      region="Connections on the time axis"
      columns={columns}
      visits={[{ scale }]}
      films={films}
      foot={foot}
    >
      {() => (
        <tbody>
          {carried.map(([connection, requests]) => {
            const known = requests.flatMap(({ receivedBytes }) => receivedBytes ?? []);
            const phases = requests.flatMap((request) => request.phases).filter(({ kind }) => kind !== 'blocked');
            return (
              <tr key={connection}>
                <th scope="row">
                  {connection} <span className={classes.host}>{hostOf(requests[0]!.url)}</span>
                </th>
                <td>{requests[0]!.protocol ?? '—'}</td>
                <td className={classes.number}>{formatNumber(requests.length)}</td>
                <td className={classes.number}>
                  {known.length === 0 ? (
                    <AbsentValue reason="The size on the connection is not known." />
                  ) : (
                    formatBytes(known.reduce((sum, bytes) => sum + bytes, 0))
                  )}
                </td>
                <td className={classes.time}>
                  <VisuallyHidden>
                    from {formatMs(Math.min(...phases.map(({ startMs }) => startMs)))} to{' '}
                    {formatMs(Math.max(...phases.map(({ endMs }) => endMs)))}
                  </VisuallyHidden>
                  <TimeLane phases={phases} scale={scale} />
                </td>
              </tr>
            );
          })}
        </tbody>
      )}
    </TimeTable>
  );
}
