import type { LatencyId } from '../../metrics/catalogue.ts';
import type { LatencyOrigin } from '../../metrics/latency-origin.ts';
import type { Cell } from '../comparison.ts';
import { designComparison, judgeVisits, type ComparedRecord } from '../design-comparison.ts';
import { gatherCells } from './gather-cells.ts';
import { listCells } from './list-cells.ts';

/** The cells of one User Agent, as the Comparison has them where it has all. Of its Visits, the record needs only those of this one. */
export function computeUserCells(
  record: ComparedRecord,
  { userAgent, metric, from }: { userAgent: string; metric: LatencyId; from: LatencyOrigin },
): Cell[] {
  const visits = judgeVisits(record, from).filter((visit) => visit.userAgent === userAgent);
  const { cells } = gatherCells(visits, ({ latencies }) => latencies[metric]);
  return listCells(cells, { ...designComparison(record), metric, userAgent, hasEcdf: true });
}
