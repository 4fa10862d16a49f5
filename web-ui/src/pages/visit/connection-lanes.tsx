import type { ReactNode } from 'react';
import type { WaterfallRow } from '#core/waterfall/build-waterfall.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';
import { hostOf } from './name-objects.ts';
import { TimeAxis } from './time-axis.tsx';
import { TimeLane, type TimeScale } from './time-lane.tsx';
import classes from './waterfall.module.css';

/** One lane for each transport connection, with all that it carried. It shows when connections were idle, and how many were in use together. */
export function ConnectionLanes({ rows, scale, foot }: { rows: WaterfallRow[]; scale: TimeScale; foot: ReactNode }) {
  const carried = [
    ...Map.groupBy(
      rows.filter(({ connection }) => connection !== null),
      ({ connection }) => connection!,
    ),
  ].sort(([one], [other]) => one - other);
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label="Connections on the time axis">
      <table className={classes.table} aria-label="Connections">
        <thead>
          <tr>
            <th scope="col" style={{ width: '27%' }}>
              Connection
            </th>
            <th scope="col" style={{ width: 74 }}>
              Protocol
            </th>
            <th scope="col" style={{ width: 84 }} className={classes.number}>
              Requests
            </th>
            <th scope="col" style={{ width: 74 }} className={classes.number}>
              Size
            </th>
            <th scope="col" style={{ width: 78 }} className={classes.number}>
              Start
            </th>
            <th scope="col" style={{ width: 78 }} className={classes.number}>
              End
            </th>
            <th scope="col" className={classes.time}>
              <TimeAxis scale={scale} />
            </th>
          </tr>
        </thead>
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
                <td className={classes.number}>{formatMs(Math.min(...phases.map(({ startMs }) => startMs)))}</td>
                <td className={classes.number}>{formatMs(Math.max(...phases.map(({ endMs }) => endMs)))}</td>
                <td className={classes.time}>
                  <TimeLane phases={phases} scale={scale} />
                </td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>{foot}</tfoot>
      </table>
    </div>
  );
}
