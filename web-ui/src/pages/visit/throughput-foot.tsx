import { useQuery } from '@tanstack/react-query';
import { linkCapacityKbps } from '#core/evaluation/network/link-capacity.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { problemOf } from '../../api/problem-error.ts';
import { captureQuery, runQuery } from '../../api/queries.ts';
import { formatNumber } from '../../format/format-number.ts';
import { ThroughputLane } from './throughput-lane.tsx';
import type { TimeScale } from './time-lane.tsx';
import classes from './waterfall.module.css';

interface ThroughputFootProps {
  /** Whose, where there are several. */
  name?: string;
  visit: Pick<VisitDetail, 'runId' | 'scenario' | 'passId'>;
  originEpochMs: number;
  scale: TimeScale;
  columnsBefore: number;
  /** Of the cell of its lane. */
  laneClass?: string | undefined;
}

/** The last row of a waterfall: the throughput of the User Agent while the page loaded, from the Capture of its Pass, or why there is none. */
export function ThroughputFoot({ name, visit, originEpochMs, scale, columnsBefore, laneClass }: ThroughputFootProps) {
  const { passId, runId, scenario } = visit;
  const { data: run } = useQuery(runQuery(runId));
  const network = run?.evaluation.scenarios.find((each) => each.name === scenario)?.network;
  const { data: capture, error } = useQuery(captureQuery({ kind: 'pass', id: passId }));
  const throughput = capture?.kind === 'captured' ? capture.statistics.throughput : null;
  const [received, sent] = [throughput?.received, throughput?.sent];
  const absence = error
    ? problemOf(error).message
    : capture?.kind === 'absent'
      ? capture.reason
      : capture && !received
        ? 'The directions of its packets are not known.'
        : null;
  return (
    <tr>
      <th scope="row" colSpan={received && sent ? 1 : columnsBefore}>
        <strong>Throughput{name !== undefined && `, ${name}`}</strong>
        <br />
        {received && sent ? (
          <>
            received{' '}
            <span style={{ color: 'var(--receive)' }} aria-hidden="true">
              ■
            </span>{' '}
            sent{' '}
            <span style={{ color: 'var(--connect)' }} aria-hidden="true">
              ▬
            </span>
            <br />
            bins of {formatNumber(received.binMs)} ms
          </>
        ) : (
          absence !== null && <>No packets: {absence}</>
        )}
      </th>
      {received && sent && <td colSpan={columnsBefore - 1} />}
      <td className={`${classes.time} ${laneClass ?? ''}`}>
        {received && sent && (
          <ThroughputLane
            received={received}
            sent={sent}
            originEpochMs={originEpochMs}
            scale={scale}
            capacityKbps={linkCapacityKbps(network, 'received')}
          />
        )}
      </td>
    </tr>
  );
}
