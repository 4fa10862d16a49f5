import { Group, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, infiniteQueryOptions } from '@tanstack/react-query';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { NextPageButton } from '../../../components/next-page-button.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatCount } from '../../../format/format-numbers.ts';
import { UrlLatencies } from './url-latencies.tsx';
import { gatherRows } from './url-rows.ts';
import type { View } from '../use-view.ts';
import type { LatencyId } from '#core/metrics/index.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { UserCellPageSchema } from '#core/protocol/api/user-cells.ts';
import { fromSearch } from '../../../api/run-requests.ts';
import { json, request } from '../../../api/request.ts';

/** Which cells of a User Agent, and what sorts their URLs. */
interface AskedCells {
  userAgent: string;
  metric: LatencyId;
  from: LatencyOrigin;
  sortedBy: string | null;
  isDescending: boolean;
  /** Of this URL alone; null for all. */
  url: string | null;
}

/** `step` changes when the Run has come further: the cells are then requested again. */
const userCellsQuery = (runId: string, asked: AskedCells, step: string) =>
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

interface UserLatenciesProps {
  comparison: Comparison;
  metric: MetricComparison;
  userAgent: string;
  styles: Map<string, ScenarioStyle>;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** The URLs of one User Agent. The Controller sorts them, and returns some at a time. */
export function UserLatencies({ comparison, metric, userAgent, styles, view, changeView }: UserLatenciesProps) {
  const { runId, roundsCounted, runState, exclusions, countedFrom = 'navigation-start' } = comparison;
  const reversed = exclusions.filter(({ reversal }) => reversal !== null);
  const step = [roundsCounted, runState, exclusions.length, reversed.length].join(' ');
  const asked = { userAgent, metric: metric.metric, from: countedFrom };
  const { sortedBy, isDescending, openUrl } = view;
  const query = useInfiniteQuery({
    ...userCellsQuery(runId, { ...asked, sortedBy, isDescending, url: null }, step),
    placeholderData: keepPreviousData,
  });
  const rows = gatherRows({ cells: query.data?.pages.flatMap(({ cells }) => cells) ?? [] }, userAgent);
  const found = rows.find(({ url }) => url === openUrl);
  // One that an address opens may be on a later page.
  const alone = useInfiniteQuery({
    ...userCellsQuery(runId, { ...asked, sortedBy: null, isDescending: false, url: openUrl }, step),
    enabled: openUrl !== null && !found && query.hasNextPage,
  });
  const open = found ?? gatherRows({ cells: alone.data?.pages[0]?.cells ?? [] }, userAgent)[0] ?? null;

  return (
    <QueryContent query={query} what={`The URLs of ${userAgent}`}>
      {({ pages }) => (
        <>
          {query.hasNextPage && (
            <Group gap="xs" className="no-print">
              <Text size="sm" c="dimmed" aria-live="polite">
                {formatCount(rows.length, 'URL')} of {pages[0]!.urls}
              </Text>
              <NextPageButton query={query} isSmall>
                Load more
              </NextPageButton>
            </Group>
          )}
          <UrlLatencies {...{ comparison, metric, rows, open, styles, view, changeView }} />
        </>
      )}
    </QueryContent>
  );
}
