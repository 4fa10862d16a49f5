import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import { latencyIds } from '#core/metrics/catalogue.ts';
import { VisitPairsSchema } from '#core/protocol/api/visit-pairs.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { needVisits } from '../../db/visits/kept-visits.ts';
import { findVisitPairs } from '../../db/visits/visit-pairs.ts';
import { findVisit } from '../../db/visits/visit-detail.ts';
import { exportVisits } from '../../db/visits/visit-export.ts';
import { formatVisitsAsCsv, formatVisitsAsJson, formatVisitsAsLines } from '../format-visits.ts';
import { FromQuery, IdParams } from '../parameters.ts';
import { jsonRoute, streamRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const VisitParams = z.object({ id: z.uuid() });
const FormatQuery = FromQuery.extend({
  format: z.enum(['csv', 'json', 'jsonl'], { error: 'must be "csv", "json" or "jsonl"' }).default('csv'),
});

const pairsPerAnswer = 1000;
const PairsQuery = z.object({
  url: z.string(),
  first: NameSchema,
  second: NameSchema,
  userAgent: NameSchema.optional(),
  metric: z.enum(latencyIds).default('totalMs'),
});

const formats = {
  csv: { type: 'text/csv; charset=utf-8; header=present', write: formatVisitsAsCsv },
  json: { type: 'application/json', write: formatVisitsAsJson },
  jsonl: { type: 'application/jsonl; charset=utf-8', write: formatVisitsAsLines },
};

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
        'application/jsonl': z.string(),
      },
      write: async ({ params, query, response, signal }) => {
        await needVisits(pool, params.id);
        const visits = exportVisits(pool, params.id);
        response.attachment(`run-${params.id}-visits.${query.format}`);
        const { type, write } = formats[query.format];
        response.type(type);
        await pipeline(Readable.from(write(visits, query.from)), response, { signal });
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/visit-pairs',
      summary: `Get the Visits of a page under two Scenarios, paired by Block, and those of the median latency: the first ${pairsPerAnswer} pairs`,
      access: 'viewer',
      params: IdParams,
      query: PairsQuery,
      answer: VisitPairsSchema,
      handle: async ({ params, query: { userAgent = null, ...asked } }) => {
        await needVisits(pool, params.id);
        return findVisitPairs(pool, { runId: params.id, ...asked, userAgent, limit: pairsPerAnswer });
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
