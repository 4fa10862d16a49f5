import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { findVisit } from '../../db/visit-detail.ts';
import { exportVisits } from '../../db/visit-export.ts';
import { formatVisitsAsCsv, formatVisitsAsJson } from '../format-visits.ts';
import { FromQuery, IdParams } from '../parameters.ts';
import { jsonRoute, streamRoute, type Route } from '../route.ts';
import { needRun } from './run-routes.ts';
import type { Services } from '../services.ts';

const VisitParams = z.object({ id: z.uuid() });
const FormatQuery = FromQuery.extend({
  format: z.enum(['csv', 'json'], { error: 'must be "csv" or "json"' }).default('csv'),
});

export function visitRoutes({ pool }: Services): Route[] {
  return [
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/visits',
      summary: 'Export all Visits of a Run, one row each',
      access: 'viewer',
      params: IdParams,
      query: FormatQuery,
      content: {
        'text/csv': z.string(),
        'application/json': z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
      },
      write: async ({ params, query, response, signal }) => {
        await needRun(pool, params.id);
        const visits = exportVisits(pool, params.id);
        response.attachment(`run-${params.id}-visits.${query.format}`);
        response.type(query.format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json');
        await pipeline(
          Readable.from(
            query.format === 'csv' ? formatVisitsAsCsv(visits, query.from) : formatVisitsAsJson(visits, query.from),
          ),
          response,
          { signal },
        );
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/visits/:id',
      summary: 'Get a Visit with its Readings, the reasons of absent ones, and its Snapshot',
      access: 'viewer',
      params: VisitParams,
      answer: VisitDetailSchema,
      handle: async ({ params }) => {
        const visit = await findVisit(pool, params.id);
        if (!visit) throw new AppError('not-found', `There is no Visit ${params.id}`);
        return visit;
      },
    }),
  ];
}
