import { queryOptions } from '@tanstack/react-query';
import type { LatencyId } from '#core/metrics/catalogue.ts';
import { VisitPairsSchema } from '#core/protocol/api/visit-pairs.ts';
import { json, request } from './request.ts';

/** Which Visits are paired: of one page, under two Scenarios. */
export interface PairFilter {
  runId: string;
  url: string;
  first: string;
  second: string;
  /** Null: of all. */
  userAgent: string | null;
  metric: LatencyId;
}

export const pairsQuery = ({ runId, userAgent, ...asked }: PairFilter) =>
  queryOptions({
    queryKey: ['runs', runId, 'pairs', asked, userAgent],
    queryFn: ({ signal }) => {
      const search = new URLSearchParams({ ...asked, ...(userAgent !== null && { userAgent }) });
      return request({
        path: `/api/runs/${encodeURIComponent(runId)}/visit-pairs?${search.toString()}`,
        answer: json(VisitPairsSchema),
        signal,
      });
    },
    staleTime: 60_000,
  });
