import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  NewShareSchema,
  SharedComparisonSchema,
  ShareSummarySchema,
  type NewShare,
  type SharedComparison,
  type ShareRequestSchema,
} from '#core/protocol/api/share.ts';
import { carryShareSecret, json, nothing, request } from './request.ts';

const pathOf = (runId: string) => `/api/runs/${encodeURIComponent(runId)}/shares`;

/** The valid shared links to the Comparison of a Run. */
export const sharesQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'shares'],
    queryFn: ({ signal }) => request({ path: pathOf(runId), answer: json(z.array(ShareSummarySchema)), signal }),
  });

/** Makes a shared link. Only this answer contains its secret. */
export function createShare(runId: string, order: z.input<typeof ShareRequestSchema>): Promise<NewShare> {
  return request({ method: 'POST', path: pathOf(runId), body: { json: order }, answer: json(NewShareSchema) });
}

export function revokeShare(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/shares/${encodeURIComponent(id)}`, answer: nothing });
}

/** What a shared link opens. Every later request of this page carries its secret. */
export const sharedQuery = (secret: string) =>
  queryOptions({
    queryKey: ['shared', secret],
    queryFn: ({ signal }): Promise<SharedComparison> => {
      carryShareSecret(secret);
      return request({ path: '/api/shared', answer: json(SharedComparisonSchema), signal });
    },
    staleTime: Infinity,
  });
