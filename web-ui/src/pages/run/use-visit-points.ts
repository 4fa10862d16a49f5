import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LatencyId } from '#core/metrics/index.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { fetchVisitPage } from '../../api/reports.ts';

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

/** A Visit of a Round under way, as its Agent reported it. */
export interface LivePoint {
  /** The same of each report of one Visit. */
  key: string;
  roundId: string;
  scenario: string;
  totalMs: number;
}

/** With the last Visits that a Run reports, and without those of Rounds that have ended: these are stored. The same array where nothing changes. */
export function addLivePoints(
  points: readonly LivePoint[],
  { rounds }: Pick<RunDetail, 'rounds'>,
): readonly LivePoint[] {
  const underWay = rounds.filter(({ state, warmUp }) => !warmUp && state !== 'completed' && state !== 'broken');
  const ids = new Set(underWay.map(({ id }) => id));
  const kept = points.filter(({ roundId }) => ids.has(roundId));
  const known = new Set(kept.map(({ key }) => key));
  const added = underWay.flatMap(({ id: roundId, scenario, passes }) =>
    passes.flatMap(({ id, visitsMade, lastTotalMs }) => {
      const key = `${id} ${visitsMade}`;
      return lastTotalMs === null || known.has(key) ? [] : [{ key, roundId, scenario, totalMs: lastTotalMs }];
    }),
  );
  return added.length === 0 && kept.length === points.length ? points : [...kept, ...added];
}
