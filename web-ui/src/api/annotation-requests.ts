import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { UsedTagSchema, type RunAnnotation } from '#core/protocol/api/annotation.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { json, request } from './request.ts';

/** The tags in use, the most frequent first. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: ({ signal }) => request({ path: '/api/tags', answer: json(z.array(UsedTagSchema)), signal }),
  staleTime: 30_000,
});

export function annotateRun(id: string, annotation: RunAnnotation): Promise<RunSummary> {
  return request({
    method: 'PUT',
    path: `/api/runs/${encodeURIComponent(id)}/annotation`,
    body: { json: annotation },
    answer: json(RunSummarySchema),
  });
}
