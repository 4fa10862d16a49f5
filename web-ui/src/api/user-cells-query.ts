import { infiniteQueryOptions } from '@tanstack/react-query';
import type { LatencyId } from '#core/metrics/catalogue.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { UserCellPageSchema } from '#core/protocol/api/user-cells.ts';
import { fromSearch } from './from-search.ts';
import { json, request } from './request.ts';

/** Which cells of a User Agent, and what sorts their URLs. */
export interface AskedCells {
  userAgent: string;
  metric: LatencyId;
  from: LatencyOrigin;
  sortedBy: string | null;
  isDescending: boolean;
  /** Of this URL alone; null for all. */
  url: string | null;
}

/** `step` changes when the Run has come further: the cells are then requested again. */
export const userCellsQuery = (runId: string, asked: AskedCells, step: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', runId, 'user-cells', asked, step],
    queryFn: ({ pageParam, signal }) => {
      const { userAgent, metric, from, sortedBy, isDescending, url } = asked;
      const search = new URLSearchParams({
        ...fromSearch(from),
        userAgent,
        metric,
        ...(sortedBy !== null && { sort: sortedBy }),
        ...(isDescending && { order: 'descending' }),
        ...(url !== null && { url }),
        after: String(pageParam),
      });
      return request({
        path: `/api/runs/${encodeURIComponent(runId)}/comparison/cells?${search.toString()}`,
        answer: json(UserCellPageSchema),
        signal,
      });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });
