import { useQueries, useQuery } from '@tanstack/react-query';
import { linkCapacityKbps } from '#core/evaluation/network/network.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { captureQuery, runQuery } from '../../api/queries.ts';
import { problemOf } from '../../api/request.ts';
import { formatNumber } from '../../format/format-numbers.ts';
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

interface SeenThroughput {
  visit: Pick<VisitDetail, 'runId' | 'scenario' | 'passId'>;
  originEpochMs: number;
  scale: TimeScale;
}

interface FootProps {
  columnsBefore: number;
  /** Of the cell of its lane. */
  laneClass?: string | undefined;
}

/** The last row of a waterfall: the throughput of the User Agent while the page loaded, from the Capture of its Pass, or why there is none. */
export function ThroughputFoot({ visit, originEpochMs, scale, ...rest }: SeenThroughput & FootProps) {
  const capture = useQuery(captureQuery({ kind: 'pass', id: visit.passId }));
  return <FootRow {...{ visit, originEpochMs, scale }} {...rest} found={findThroughput(capture)} />;
}

/** The last rows of two waterfalls. Where both have none for the same reason, it is said once. */
export function ThroughputFeet({ visits, ...rest }: { visits: SeenThroughput[] } & FootProps) {
  const captures = useQueries({
    queries: visits.map(({ visit }) => captureQuery({ kind: 'pass' as const, id: visit.passId })),
  });
  const found = captures.map(findThroughput);
  const [absence] = new Set(found.map((each) => each.absence));
  if (absence != null && found.every((each) => each.absence === absence))
    return (
      <tr className={classes.absentFoot}>
        <AbsenceCell absence={absence} columns={rest.columnsBefore + 1} />
      </tr>
    );
  return visits.map((each, place) => (
    <FootRow key={place} name={each.visit.scenario} {...each} {...rest} found={found[place]!} />
  ));
}

/** `absence`: why there is none; null where there is one, or it is awaited. */
interface FoundThroughput {
  absence: string | null;
  received?: ByteSeries;
  sent?: ByteSeries;
}

function findThroughput({
  data: capture,
  error,
}: {
  data?: CaptureOutcome | undefined;
  error: unknown;
}): FoundThroughput {
  if (error) return { absence: problemOf(error).message };
  if (!capture) return { absence: null };
  if (capture.kind === 'absent') return { absence: capture.reason };
  const { received, sent } = capture.statistics.throughput;
  return received && sent
    ? { absence: null, received, sent }
    : { absence: 'The directions of its packets are not known.' };
}

/** What is wrong is read here; what to write into the Evaluation to have packets, on hover. */
function AbsenceCell({ name, absence, columns }: { name?: string | undefined; absence: string; columns: number }) {
  const [problem] = absence.split('. ', 1);
  return (
    <th scope="row" colSpan={columns} title={absence}>
      <strong>Throughput{name !== undefined && `, ${name}`}</strong> No packets: {problem!.replace(/\.$/, '')}.
    </th>
  );
}

function FootRow({
  name,
  visit: { runId, scenario },
  originEpochMs,
  scale,
  columnsBefore,
  laneClass = '',
  found: { absence, received, sent },
}: SeenThroughput & FootProps & { name?: string; found: FoundThroughput }) {
  const { data: run } = useQuery(runQuery(runId));
  const network = run?.evaluation.scenarios.find((each) => each.name === scenario)?.network;
  if (!received || !sent)
    return (
      <tr>
        {absence === null ? (
          <th scope="row" colSpan={columnsBefore}>
            <strong>Throughput</strong>
          </th>
        ) : (
          <AbsenceCell name={name} absence={absence} columns={columnsBefore} />
        )}
        <td className={`${classes.time} ${laneClass}`} />
      </tr>
    );
  return (
    <tr>
      <th scope="row">
        <strong>Throughput{name !== undefined && `, ${name}`}</strong>
        <br />
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
      </th>
      <td colSpan={columnsBefore - 1} />
      <td className={`${classes.time} ${laneClass}`}>
        <ThroughputLane
          received={received}
          sent={sent}
          originEpochMs={originEpochMs}
          scale={scale}
          capacityKbps={linkCapacityKbps(network, 'received')}
        />
      </td>
    </tr>
  );
}

/** A link of more than so many times what came would flatten it to a line. */
const mostTimesPeak = 3;

/** The top of the axis of throughput: the link, unless it dwarfs what came. */
export function limitThroughput(
  peakKbps: number,
  capacityKbps: number | null,
): { topKbps: number; isLinkAbove: boolean } {
  const isLinkAbove = capacityKbps !== null && peakKbps > 0 && capacityKbps > mostTimesPeak * peakKbps;
  return { topKbps: Math.max(1, peakKbps, isLinkAbove ? 0 : (capacityKbps ?? 0)), isLinkAbove };
}

/** What went to and from the User Agent while the page loaded, on the time axis of the waterfall. */
function ThroughputLane({ received, sent, originEpochMs, scale, capacityKbps }: ThroughputLaneProps) {
  const points = {
    received: during(received, originEpochMs, scale.endMs),
    sent: during(sent, originEpochMs, scale.endMs),
  };
  const peakKbps = Math.max(...points.received.map(({ y }) => y), ...points.sent.map(({ y }) => y), 0);
  const { topKbps, isLinkAbove } = limitThroughput(peakKbps, capacityKbps);
  const heightOf = (kbps: number) => heightPx - (heightPx - 14) * (kbps / topKbps);
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
      {capacityKbps !== null && !isLinkAbove && (
        <line className={classes.capacity} x1="0" x2="100%" y1={heightOf(capacityKbps)} y2={heightOf(capacityKbps)} />
      )}
      {capacityKbps !== null && (
        <text
          className={classes.capacityLabel}
          x="100%"
          y={isLinkAbove ? 11 : heightOf(capacityKbps) - 3}
          aria-hidden="true"
        >
          {isLinkAbove && `at most ${formatNumber(peakKbps)} kb/s here; `}link: {formatNumber(capacityKbps)} kb/s
          {isLinkAbove && ', far above'}
        </text>
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
