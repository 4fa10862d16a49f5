import { listExcludedRounds } from '../runs/exclusions.ts';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import {
  LatencyLimitSchema,
  VisitPageSchema,
  VisitSortSchema,
  VisitStatusSchema,
} from '#core/protocol/api/listed-visit.ts';
import { SortOrderSchema } from '#core/protocol/api/run-search.ts';
import { MeasurementsSchema } from '#core/record/measurements.ts';
import { measureIds } from '#core/metrics/measures.ts';
import { RunMethodSchema, type RunMethod } from '#core/record/run-method.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import { findRunView, type RunView } from '../runs/run-detail.ts';
import { whileKept } from '../visits/kept-visits.ts';
import { listVisits, type VisitPlace } from '../visits/visit-pages.ts';
import { reportMeasurements } from './report-measurements.ts';
import { jsonRoute, type Route, FromQuery, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { findSolos } from '#core/evaluation/scenarios/solo-scenarios.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import {
  compareWire,
  WireComparisonSchema,
  type RoundWire,
  type WireComparison,
} from '#core/comparison/network/compare-wire.ts';
import type { Queryable } from '../database/queryable.ts';
import { readLooks, listEngineVersions, listMetricsVersions } from '../runs/run-facts.ts';
import { readRun } from '../runs/stored-runs.ts';
import type { Pool } from 'pg';
import { describeMethod } from '#controller/reports/describe-method.ts';
import { readHttpVersions, rollUpRun } from '../runs/rollups.ts';
import { listConditions, describeChanges } from '../runs/run-conditions.ts';
import { listRunsBeside } from '../runs/run-queue.ts';

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
        const asked = {
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
        };
        const visits = await whileKept(pool, params.id, () => listVisits(pool, asked));
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

/** Throws AppError 'not-found', 'visits-deleted'. */
export async function compareWireOfRun(db: Queryable, runId: string): Promise<WireComparison> {
  const run = await readRun(db, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const { scenarios, repetition, comparison } = EvaluationSchema.parse(run.document);
  const solos = new Set(findSolos(scenarios).map(({ name }) => name));
  return compareWire(await whileKept(db, runId, () => readRoundWire(db, runId)), {
    scenarios: scenarios.flatMap(({ name }) => (solos.has(name) ? [] : name)),
    confidence: intervalConfidence(repetition, comparison.confidence, await readLooks(db, runId)),
  });
}

/** Throws AppError 'not-found'. */
export async function readMethod(
  pool: Pool,
  { runId, controllerVersion }: { runId: string; controllerVersion: string },
): Promise<RunMethod> {
  const view = await findRunView(pool, runId, 'current'); // no Pass is described
  if (!view) throw new AppError('not-found', `There is no Run ${runId}`);
  await rollUpRun(pool, runId);
  const excluded = await listExcludedRounds(pool, runId);
  return describeMethod(
    {
      ...view,
      rounds: view.rounds.filter(({ id }) => !excluded.has(id)),
      added: await describeAdded(pool, view),
      beside: await listRunsBeside(pool, runId),
      metricsVersions: await listMetricsVersions(pool, runId),
      engineVersions: await listEngineVersions(pool, runId),
      httpVersions: await readHttpVersions(pool, runId),
    },
    controllerVersion,
  );
}

async function describeAdded(pool: Pool, { id, added }: RunView): Promise<RunMethod['added']> {
  if (added.length === 0) return [];
  const conditions = await listConditions(pool, id);
  return added.map((each, index) => {
    const [before, own] = [conditions[index]!, conditions[index + 1]!];
    return { ...each, endedAt: own.endedAt, changes: describeChanges(before, own) };
  });
}

interface PassRow {
  id: string;
  scenario: string;
  visits: number;
  is_captured: boolean;
  is_short: boolean;
  is_limited: boolean;
  has_drops: boolean;
  packet_bytes: number | null;
  browser_bytes: number | null;
  packets: number | null;
  bytes: number | null;
  connections: number | null;
  unused_connections: number | null;
  signalling: number | null;
  retransmissions: number | null;
}

/** The packets of every Pass of each completed Round that is no warm-up, and of which a person left a Visit. Of each Capture only these counts are read. */
async function readRoundWire(db: Queryable, runId: string): Promise<RoundWire[]> {
  const { rows } = await db.query<PassRow>(
    `select round.id, scenario, (select count(*)::int from visit where pass_id = pass.id) as visits,
       coalesce(outcome->>'kind' = 'captured', false) as is_captured, coalesce(is_short, false) as is_short, packet_bytes, browser_bytes,
       coalesce((outcome->>'isLimited')::boolean, false) as is_limited, coalesce((outcome->>'droppedByKernel')::float8 + (outcome->>'droppedByInterface')::float8 > 0, false) as has_drops,
       (statistics->'packets')::float8 as packets, (statistics->'dataBytes')::float8 as bytes,
       (select sum((wire->>'openedConnections')::float8) from jsonb_each(capture.visits) as each (visit_id, wire)) as connections,
       (select sum((wire->>'unusedConnections')::float8) from jsonb_each(capture.visits) as each (visit_id, wire)) as unused_connections,
       (nullif(statistics->'tcp', 'null')->'signalling'->'packets')::float8 as signalling,
       (nullif(statistics->'tcp', 'null')->'retransmissions')::float8 as retransmissions
     from round join pass on round_id = round.id left join pass_capture as capture on capture.pass_id = pass.id, lateral (select outcome->'statistics' as statistics) as read
     where run_id = $1 and round.state = 'completed' and not warm_up and round.id <> all($2)
     order by round.index`,
    [runId, [...(await listExcludedRounds(db, runId))]],
  );
  return [...Map.groupBy(rows, (row) => row.id).values()].map((passes) => ({
    scenario: passes[0]!.scenario,
    passes: passes.map(
      ({
        visits,
        is_captured,
        is_short,
        is_limited: isLimited,
        has_drops: hasDrops,
        packet_bytes: packetBytes,
        browser_bytes: browserBytes,
        packets,
        bytes,
        connections,
        unused_connections: unusedConnections,
        signalling,
        retransmissions,
      }) => ({
        visits,
        isLimited,
        hasDrops,
        shortfall: is_short && !isLimited ? { packetBytes: packetBytes ?? 0, browserBytes: browserBytes! } : null,
        counts:
          is_captured && !is_short
            ? { packets, bytes, connections, unusedConnections, signalling, retransmissions }
            : null,
      }),
    ),
  }));
}
