import { queryOptions } from '@tanstack/react-query';
import { ComparisonOutlineSchema } from '#core/comparison/comparison-outline.ts';
import { json, request } from './request.ts';

/** The means and reductions of a report, at once even where the whole takes seconds. */
export const outlineQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'outline'],
    queryFn: ({ signal }) =>
      request({
        path: `/api/runs/${encodeURIComponent(runId)}/comparison/outline`,
        answer: json(ComparisonOutlineSchema),
        signal,
      }),
  });
