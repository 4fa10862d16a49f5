import { z } from 'zod';
import { ExclusionRequestSchema, ExclusionSchema, ReversalRequestSchema } from '#core/record/exclusion.ts';
import { nameIdentity } from '../people/identify.ts';
import { excludeVisits, listExclusions, reverseExclusion } from './exclusions.ts';
import { jsonRoute, type Route, IdParams } from '../http/route.ts';
import { needRun } from './run-routes.ts';
import type { Services } from '../http/services.ts';

export function exclusionRoutes({ pool }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/exclusions',
      summary: 'List which Visits of a Run are excluded from its statistics, by whom and why, with reversed exclusions',
      access: 'viewer',
      params: IdParams,
      answer: z.array(ExclusionSchema),
      handle: async ({ params }) => {
        await needRun(pool, params.id);
        return listExclusions(pool, params.id);
      },
    }),
    jsonRoute({
      method: 'post',
      path: '/api/runs/:id/exclusions',
      summary:
        'Exclude Visits from the statistics of their Run, for a reason that the report shows; all of them or none',
      access: 'evaluator',
      params: IdParams,
      body: ExclusionRequestSchema,
      status: 201,
      answer: z.array(ExclusionSchema),
      handle: async ({ params, body, identity }) => {
        await needRun(pool, params.id);
        return excludeVisits(pool, { runId: params.id, ...body, by: nameIdentity(identity) });
      },
      audit: ({ params, body }) => ({
        action: 'visits-excluded',
        subject: `${body.visitIds.length} Visits of Run ${params.id}`,
        details: { reason: body.reason },
      }),
    }),
    jsonRoute({
      method: 'delete',
      path: '/api/exclusions/:id',
      summary: 'Reverse an exclusion, so that its Visit counts again; both stay recorded',
      access: 'evaluator',
      params: IdParams,
      query: ReversalRequestSchema,
      answer: ExclusionSchema,
      handle: ({ params, query, identity }) =>
        reverseExclusion(pool, { id: params.id, reason: query.reason, by: nameIdentity(identity) }),
      audit: ({ params, query }) => ({
        action: 'exclusion-reversed',
        subject: `exclusion ${params.id}`,
        details: { reason: query.reason },
      }),
    }),
  ];
}
