import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import {
  LatencyLimitSchema,
  VisitPageSchema,
  VisitSortSchema,
  VisitStatusSchema,
} from '#core/protocol/api/listed-visit.ts';
import { SortOrderSchema } from '#core/protocol/api/sort-order.ts';
import { MeasurementsSchema } from '#core/figures/measurements.ts';
import { measureIds } from '#core/metrics/measures.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { WireComparisonSchema } from '#core/comparison/network/wire-comparison.ts';
import { needVisits } from '../../db/visits/kept-visits.ts';
import { listVisits, type VisitPlace } from '../../db/visits/visit-pages.ts';
import { compareWireOfRun } from '../../reports/compare-wire-of-run.ts';
import { reportMeasurements } from '../../reports/report-measurements.ts';
import { readMethod } from '../../reports/read-method.ts';
import { FromQuery, IdParams } from '../parameters.ts';
import { jsonRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const visitsPerPage = 200;
const PageQuery = z.object({
  scenario: z.string().optional(),
  url: z.string().optional(),
  userAgent: z.string().optional(),
  status: VisitStatusSchema.optional(),
  /** Limits of the total latency. */
  atLeastMs: LatencyLimitSchema.optional(),
  atMostMs: LatencyLimitSchema.optional(),
  sort: VisitSortSchema.default('block'),
  order: SortOrderSchema.default('ascending'),
  after: z
    .string()
    .regex(/^\d{1,9}\.[0-9a-f-]{36}$/, 'must be the "next" of an earlier response')
    .optional(),
});

/** Separated by commas. */
const MeasuresQuery = FromQuery.extend({
  measures: z
    .string()
    .max(1000, 'must have at most 1000 characters')
    .transform((text) => text.split(','))
    .pipe(
      z.array(z.enum(measureIds, { error: 'must be names of metrics, separated by commas' })).max(measureIds.length),
    )
    .optional(),
});

/** What a report shows beside its Evaluation Comparison. */
export function reportRoutes({ pool, controllerVersion }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/wire',
      summary: 'Get the packets, bytes and connections of the Visits of each Scenario',
      access: 'viewer',
      isShared: true,
      params: IdParams,
      answer: WireComparisonSchema,
      handle: ({ params }) => compareWireOfRun(pool, params.id),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/measurements',
      summary: 'Get values of every Visit that counts, in columns, with the design that they belong to',
      access: 'viewer',
      isShared: true,
      params: IdParams,
      query: MeasuresQuery,
      answer: MeasurementsSchema,
      handle: ({ params, query: { measures = null, from } }) =>
        reportMeasurements(pool, { runId: params.id, from, measures: measures && [...new Set(measures)] }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/method',
      summary: 'Get how a Run was measured: versions, User Agents, link checks, repeated Rounds',
      access: 'viewer',
      isShared: true,
      params: IdParams,
      answer: RunMethodSchema,
      handle: ({ params }) => readMethod(pool, { runId: params.id, controllerVersion }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/visits/page',
      summary: `List the Visits of the completed Rounds of a Run, without warm-ups, ${visitsPerPage} at a time, by Block unless sorted`,
      access: 'viewer',
      params: IdParams,
      query: PageQuery,
      answer: VisitPageSchema,
      handle: async ({
        params,
        query: { scenario = null, url = null, userAgent = null, status = null, after, ...search },
      }) => {
        await needVisits(pool, params.id);
        const visits = await listVisits(pool, {
          runId: params.id,
          scenario,
          url,
          userAgent,
          status,
          atLeastMs: search.atLeastMs ?? null,
          atMostMs: search.atMostMs ?? null,
          sort: search.sort,
          order: search.order,
          after: after === undefined ? null : readPlace(after),
          limit: visitsPerPage,
        });
        const last = visits.at(-1);
        return { visits, next: last && visits.length === visitsPerPage ? `${last.block}.${last.id}` : null };
      },
    }),
  ];
}

function readPlace(text: string): VisitPlace {
  const [block, id] = text.split('.');
  const parsed = z.uuid().safeParse(id);
  if (!parsed.success) throw new AppError('invalid-input', '"after" must be the "next" of an earlier response');
  return { block: Number(block), id: parsed.data };
}
