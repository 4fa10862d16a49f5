import { VisitStatusSchema } from '#core/protocol/api/listed-visit.ts';
import type { VisitFilter } from './reports.ts';

/** Which Visits of a Run, read from the address of their page. An unknown state is no filter: the address may come from anywhere. */
export function readVisitFilter(runId: string, search: URLSearchParams): VisitFilter {
  const status = VisitStatusSchema.safeParse(search.get('status'));
  return {
    runId,
    scenario: search.get('scenario'),
    url: search.get('url'),
    userAgent: search.get('userAgent'),
    status: status.success ? status.data : null,
  };
}

/** The address of some Visits of a Run. */
export function visitsAddress({ runId, ...filter }: Pick<VisitFilter, 'runId'> & Partial<VisitFilter>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/runs/${runId}/visits${given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`}`;
}
