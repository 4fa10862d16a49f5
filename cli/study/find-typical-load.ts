import { z } from 'zod';
import { cutSeries, type ByteSeries } from '#core/packets/measures/byte-series.ts';
import { CaptureStatisticsSchema, type CaptureStatistics } from '#core/packets/capture-statistics.ts';
import type { BundleLine } from '#core/record/bundle-line.ts';
import type { LoadFigureDefinition } from '#core/study/study-definition.ts';
import { chooseVisits } from './measure-quantity.ts';
import type { MeasuredVisit, Measurements } from './study-measurements.ts';

/** A load with its packets, as its figure shows it. */
export interface TypicalLoad {
  userAgent: string;
  totalMs: number;
  /** Of how many loads it is the median. */
  of: number;
  /** What was captured during it. */
  capture: { statistics: CaptureStatistics; clockOffsetMs: number };
}

const LoadCaptureSchema = z.object({ statistics: CaptureStatisticsSchema, clockOffsetMs: z.number() });

/** The load of a Scenario whose page load time is the median, or the shorter one of two; null where none was captured. `lines`: of the bundle that has these Visits. */
export async function findTypicalLoad(
  lines: AsyncIterable<BundleLine>,
  { visits, scenario, where }: Pick<Measurements, 'visits'> & Pick<LoadFigureDefinition, 'scenario' | 'where'>,
): Promise<TypicalLoad | null> {
  const loads = chooseVisits(visits, { metric: 'totalMs', scenario, where }).sort((a, b) => totalOf(a) - totalOf(b));
  const median = loads[Math.floor((loads.length - 1) / 2)];
  if (!median?.during) return null;
  const { passId, fromEpochMs } = median.during;
  for await (const line of lines) {
    if (line.kind !== 'capture' || line.of !== passId) continue;
    const { data } = LoadCaptureSchema.safeParse(line.outcome);
    if (!data) return null;
    const from = fromEpochMs - data.clockOffsetMs;
    const load = { fromEpochMs: from, toEpochMs: from + totalOf(median) };
    const capture = { ...data, statistics: cutCapture(data.statistics, load) };
    return { userAgent: median.userAgent, totalMs: totalOf(median), of: loads.length, capture };
  }
  return null;
}

function totalOf({ values }: MeasuredVisit): number {
  return values.totalMs!;
}

/** The series of a Capture within these times, and the connections that carried bytes then. Its counts stay those of the whole. */
function cutCapture(
  statistics: CaptureStatistics,
  { fromEpochMs, toEpochMs }: { fromEpochMs: number; toEpochMs: number },
): CaptureStatistics {
  // With the bin in which it ends.
  const cut = (series: ByteSeries) => cutSeries(series, { fromEpochMs, untilEpochMs: toEpochMs + series.binMs });
  const { all, sent, received } = statistics.throughput;
  return {
    ...statistics,
    throughput: { all: cut(all), sent: sent && cut(sent), received: received && cut(received) },
    connections: statistics.connections
      .map((connection) => ({ ...connection, throughput: cut(connection.throughput) }))
      .filter(({ throughput }) => throughput.bins.length > 0),
    udpFlows: statistics.udpFlows
      .map(({ quic, ...flow }) => ({ ...flow, quic: quic && { ...quic, throughput: cut(quic.throughput) } }))
      .filter(({ quic }) => quic !== null && quic.throughput.bins.length > 0),
  };
}
