import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { PassProgressSchema } from '#core/protocol/api/run.ts';
import { json, request } from './request.ts';

/** Of a Round that a Run comes without the Passes of. Such a Round has ended. */
export const passesQuery = (runId: string, roundId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'passes', roundId],
    queryFn: ({ signal }) =>
      request({
        path: `/api/runs/${encodeURIComponent(runId)}/rounds/${encodeURIComponent(roundId)}/passes`,
        answer: json(z.array(PassProgressSchema)),
        signal,
      }),
    staleTime: 60_000,
  });
