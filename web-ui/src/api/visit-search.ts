import { LatencyLimitSchema, VisitSortSchema, VisitStatusSchema } from '#core/protocol/api/listed-visit.ts';
import { SortOrderSchema } from '#core/protocol/api/run-search.ts';
import type { VisitFilter } from './reports.ts';

/** Which Visits of a Run, and in which order, read from the address of their page. What is not known is left out: the address may come from anywhere. */
export function readVisitFilter(runId: string, search: URLSearchParams): VisitFilter {
  const status = VisitStatusSchema.safeParse(search.get('status'));
  const limit = (name: string) => (LatencyLimitSchema.safeParse(search.get(name)).success ? search.get(name) : null);
  return {
    runId,
    scenario: search.get('scenario'),
    url: search.get('url'),
    userAgent: search.get('userAgent'),
    status: status.success ? status.data : null,
    atLeastMs: limit('atLeastMs'),
    atMostMs: limit('atMostMs'),
    sort: VisitSortSchema.safeParse(search.get('sort')).data ?? null,
    order: SortOrderSchema.safeParse(search.get('order')).data ?? null,
  };
}

/** The address of some Visits of a Run. */
export function visitsAddress({ runId, ...filter }: Pick<VisitFilter, 'runId'> & Partial<VisitFilter>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/runs/${runId}/visits${given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`}`;
}
