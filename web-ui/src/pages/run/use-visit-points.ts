import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LatencyId } from '#core/metrics/catalogue.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { fetchVisitPage } from '../../api/reports.ts';
import { addLivePoints, type LivePoint } from './live-points.ts';

/** Of the newest Blocks, so that a long Run reads no more than a short one. */
const newestBlocks = 3;
/** Behind every Visit of its Block. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface VisitPoint {
  scenario: string;
  valueMs: number;
  /** Of a Round that has not ended. */
  isLive: boolean;
}

/** The latencies of the newest Visits of an open Run: those of the Rounds under way as they are reported, and those of the last Blocks. */
export function useVisitPoints(run: RunDetail, metric: LatencyId): VisitPoint[] {
  const [live, setLive] = useState<readonly LivePoint[]>([]);
  const next = addLivePoints(live, run);
  if (next !== live) setLive(next);

  const newest = Math.max(0, ...run.rounds.filter(({ state }) => state === 'completed').map(({ block }) => block));
  const { data: stored } = useQuery({
    queryKey: ['runs', run.id, 'newest-visits', run.roundsCompleted],
    queryFn: ({ signal }) =>
      fetchVisitPage(
        { runId: run.id, scenario: null, url: null, userAgent: null },
        { after: `${Math.max(0, newest - newestBlocks)}.${lastId}`, signal },
      ),
    enabled: run.roundsCompleted > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return [
    ...(stored?.visits ?? []).flatMap(({ scenario, [metric]: valueMs }) =>
      valueMs === null ? [] : [{ scenario, valueMs, isLive: false }],
    ),
    // Agents report the total alone.
    ...(metric === 'totalMs'
      ? next.map(({ scenario, totalMs }) => ({ scenario, valueMs: totalMs, isLive: true }))
      : []),
  ];
}
