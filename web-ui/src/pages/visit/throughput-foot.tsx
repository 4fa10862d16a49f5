import { useQuery } from '@tanstack/react-query';
import { linkCapacityKbps } from '#core/evaluation/network/link-capacity.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { problemOf } from '../../api/problem-error.ts';
import { captureQuery, runQuery } from '../../api/queries.ts';
import { formatNumber } from '../../format/format-number.ts';
import { type TimeScale, ScaleLines } from './time-lane.tsx';
import classes from './waterfall.module.css';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import { placeThroughput } from '../run/throughput-points.ts';

interface ThroughputLaneProps {
  received: ByteSeries;
  sent: ByteSeries;
  originEpochMs: number;
  scale: TimeScale;
  /** Of the emulated link to the User Agent; null where it is not one number. */
  capacityKbps: number | null;
}

const heightPx = 72;

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

/** What went to and from the User Agent while the page loaded, on the time axis of the waterfall. */
function ThroughputLane({ received, sent, originEpochMs, scale, capacityKbps }: ThroughputLaneProps) {
  const points = {
    received: during(received, originEpochMs, scale.endMs),
    sent: during(sent, originEpochMs, scale.endMs),
  };
  const mostKbps = Math.max(
    1,
    capacityKbps ?? 0,
    ...points.received.map(({ y }) => y),
    ...points.sent.map(({ y }) => y),
  );
  const peakKbps = Math.max(...points.received.map(({ y }) => y), ...points.sent.map(({ y }) => y), 0);
  const heightOf = (kbps: number) => heightPx - (heightPx - 14) * (kbps / mostKbps);
  const link = capacityKbps === null ? '' : `, of a link of ${formatNumber(capacityKbps)} kb/s`;
  const step = (series: { x: number; y: number }[]) => {
    const place = (ms: number, kbps: number) => `${(1000 * ms) / scale.endMs} ${heightOf(kbps)}`;
    return series
      .map(({ x, y }, index) => {
        const from = index > 0 ? `L ${place(x, series[index - 1]!.y)}` : `M ${place(x, 0)}`;
        return `${from} L ${place(x, y)}`;
      })
      .join(' ');
  };
  const words = `Throughput of the User Agent during this Visit, in bins of ${received.binMs} ms; at most ${formatNumber(peakKbps)} kb/s${link}.`;
  return (
    <svg className={classes.svg} height={heightPx} role="img" aria-label={words}>
      <title>{words}</title>
      <ScaleLines scale={scale} heightPx={heightPx} />
      <svg width="100%" height={heightPx} viewBox={`0 0 1000 ${heightPx}`} preserveAspectRatio="none">
        <path className={classes.throughput} d={step(points.received)} />
        <path className={classes.sent} d={step(points.sent)} vectorEffect="non-scaling-stroke" />
      </svg>
      {capacityKbps !== null && (
        <>
          <line className={classes.capacity} x1="0" x2="100%" y1={heightOf(capacityKbps)} y2={heightOf(capacityKbps)} />
          <text className={classes.capacityLabel} x="100%" y={heightOf(capacityKbps) - 3} aria-hidden="true">
            link: {formatNumber(capacityKbps)} kb/s
          </text>
        </>
      )}
    </svg>
  );
}

/** The steps from navigation start to the end of the axis, in milliseconds. */
function during(series: ByteSeries, originEpochMs: number, endMs: number): { x: number; y: number }[] {
  const inMs = placeThroughput(series, originEpochMs).map(({ x, y }) => ({ x: x * 1000, y }));
  const seen = inMs.filter(({ x }) => x + series.binMs > 0 && x < endMs).map(({ x, y }) => ({ x: Math.max(0, x), y }));
  return seen.length > 0 ? [...seen, { x: endMs, y: 0 }] : [];
}
