import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { causeIds, type CauseId } from '#core/causes/causes.ts';
import { queryOptions } from '@tanstack/react-query';
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

/** What the address of two Visits side by side says. The two Visits themselves are in it as soon as they are known, so that a link shows the same ones. */
export interface PairSearch {
  first: string | null;
  second: string | null;
  /** Whose Visits are offered; null: of all User Agents. */
  userAgent: string | null;
  metric: LatencyId;
  /** Of a page, before its Visits are known: the Scenarios. */
  url: string | null;
  scenarios: { first: string; second: string } | null;
  /** Of the page: that of this Block, instead of the median ones. */
  block: number | null;
  /** Which cause is looked at. */
  cause: CauseId | null;
}

export function readPairSearch(search: URLSearchParams): PairSearch {
  const [first, second] = [search.get('scenario'), search.get('with')];
  return {
    first: search.get('first'),
    second: search.get('second'),
    userAgent: search.get('userAgent'),
    metric: latencyIds.find((id) => id === search.get('metric')) ?? 'totalMs',
    url: search.get('url'),
    scenarios: first !== null && second !== null ? { first, second } : null,
    block: /^\d{1,9}$/.test(search.get('block') ?? '') ? Number(search.get('block')) : null,
    cause: causeIds.find((id) => id === search.get('cause')) ?? null,
  };
}

/** The address of the median Visits of a page under two Scenarios. */
export function medianPairAddress({ runId, url, first, second, userAgent, metric }: PairFilter): string {
  return address(runId, { url, scenario: first, with: second, userAgent, metric });
}

/** The address of the Visits of a page in one Block, with the cause that they show. */
export function blockPairAddress({
  runId,
  url,
  first,
  second,
  userAgent,
  metric,
  block,
  cause,
}: PairFilter & { block: number; cause: CauseId }): string {
  return address(runId, { url, scenario: first, with: second, userAgent, metric, block: String(block), cause });
}

/** The address of these two Visits. */
export function pairAddress(
  runId: string,
  {
    userAgent,
    metric,
    cause = null,
    ...pair
  }: { first: string; second: string; cause?: CauseId | null } & Pick<PairFilter, 'userAgent' | 'metric'>,
): string {
  return address(runId, { ...pair, userAgent, metric, cause });
}

/** The address of a Visit beside that of the same Block under another Scenario. */
export function counterpartAddress(
  runId: string,
  { first, scenario, metric }: { first: string; scenario: string; metric: LatencyId },
): string {
  return address(runId, { first, with: scenario, metric });
}

function address(runId: string, said: Record<string, string | null>): string {
  const given = Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/runs/${runId}/visits/compare?${new URLSearchParams(given).toString()}`;
}
