import { z } from 'zod';
import { NameSchema } from '#core/evaluation/name.ts';
import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { VisitPairsSchema, type VisitPairs } from '#core/protocol/api/visit-pairs.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { needVisits, whileKept } from './kept-visits.ts';
import { needVisit } from './visit-detail.ts';
import { exportVisits, type ExportedVisit } from './export-visits.ts';
import { jsonRoute, sendPieces, streamRoute, type Route, FromQuery, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { formatCsvRow, type CsvValue } from '#core/export/format-csv-row.ts';
import { listAbsences, visitColumns } from './visit-columns.ts';
import type { Queryable } from '../database/queryable.ts';

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

export function visitRoutes({ pool, snapshots }: Services): Route[] {
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
        await sendPieces(write(visits, query.from), { response, signal });
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
      handle: ({ params, query: { userAgent = null, ...asked } }) =>
        whileKept(pool, params.id, () =>
          findVisitPairs(pool, { runId: params.id, ...asked, userAgent, limit: pairsPerAnswer }),
        ),
    }),
    streamRoute({
      method: 'get',
      path: '/api/visits/:id',
      summary: 'Get a Visit with its Readings, the reasons of absent ones, and its Snapshot',
      access: 'viewer',
      params: VisitParams,
      content: { 'application/json': VisitDetailSchema },
      write: async ({ params, response }) => {
        const { visit, snapshot } = await needVisit(pool, params.id);
        const written = snapshot === null ? 'null' : await snapshots.write(snapshot, { kind: 'json' });
        response.type('application/json').send(`${JSON.stringify(visit).slice(0, -1)},"snapshot":${written}}`);
      },
    }),
  ];
}

/** A line of names, then a line per Visit. */
async function* formatVisitsAsCsv(visits: AsyncIterable<ExportedVisit>, from: LatencyOrigin): AsyncGenerator<string> {
  yield formatCsvRow(visitColumns.map((column) => column.name));
  for await (const visit of visits) yield formatCsvRow(visitColumns.map((column) => column.valueOf(visit, from)));
}

/** A list with an object per Visit; what has no value is null. */
async function* formatVisitsAsJson(visits: AsyncIterable<ExportedVisit>, from: LatencyOrigin): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const visit of visits) {
    yield separator + JSON.stringify(toRow(visit, from));
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** An object per line, which can be read while it comes. Each also has `absences`: why a metric has no value. A last line counts them, so that a reader notices an end that came too early. */
async function* formatVisitsAsLines(visits: AsyncIterable<ExportedVisit>, from: LatencyOrigin): AsyncGenerator<string> {
  let count = 0;
  for await (const visit of visits) {
    yield `${JSON.stringify({ ...toRow(visit, from), absences: listAbsences(visit, from) })}\n`;
    count++;
  }
  yield `${JSON.stringify({ visits: count })}\n`;
}

function toRow(visit: ExportedVisit, from: LatencyOrigin): Record<string, CsvValue> {
  return Object.fromEntries(visitColumns.map((column) => [column.name, column.valueOf(visit, from)]));
}

interface PairOptions {
  runId: string;
  url: string;
  /** The two Scenarios. */
  first: string;
  second: string;
  /** Null: all. */
  userAgent: string | null;
  metric: LatencyId;
  limit: number;
}

/** The Visits of a page under two Scenarios, as the report counts them, by Block; and those of the median latency. */
async function findVisitPairs(
  db: Queryable,
  { runId, url, first, second, userAgent, metric, limit }: PairOptions,
): Promise<VisitPairs> {
  const { rows } = await db.query<{ found: { pairs: unknown[]; first: unknown; second: unknown; filmed: unknown } }>(
    `with counted as (
       select visit.id, block, scenario, user_agent, repetition, (readings->>$6)::float8 as ms
       from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
         left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
       where run_id = $1 and url = $2 and scenario in ($3, $4) and ($5::text is null or user_agent = $5)
         and round.state = 'completed' and not warm_up and repetition > 0
         and status = 'ok' and exclusion.id is null and readings ? $6
     ), film as (
       select visit.id, round.index as place, block, warm_up, scenario, user_agent, repetition
       from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
         left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
       where run_id = $1 and url = $2 and scenario in ($3, $4) and ($5::text is null or user_agent = $5)
         and round.state = 'completed' and repetition > 0 and status = 'ok' and exclusion.id is null and filmstrip->>'kind' = 'kept'
     ), pair as (
       select one.block, one.user_agent, one.repetition,
         jsonb_build_object('id', one.id, 'valueMs', one.ms) as first, jsonb_build_object('id', other.id, 'valueMs', other.ms) as second
       from counted one join counted other using (block, user_agent, repetition)
       where one.scenario = $3 and other.scenario = $4
       order by one.block, one.user_agent, one.repetition, one.id, other.id limit $7
     )
     select jsonb_build_object(
       'pairs', (select coalesce(jsonb_agg(jsonb_build_object('block', block, 'userAgent', user_agent, 'repetition', repetition, 'first', first, 'second', second)
         order by block, user_agent, repetition), '[]') from pair),
       'first', (select jsonb_build_object('id', id, 'valueMs', ms) from counted where scenario = $3
         order by ms, id offset (select greatest(0, (count(*) - 1) / 2) from counted where scenario = $3) limit 1),
       'second', (select jsonb_build_object('id', id, 'valueMs', ms) from counted where scenario = $4
         order by ms, id offset (select greatest(0, (count(*) - 1) / 2) from counted where scenario = $4) limit 1),
       'filmed', (select jsonb_build_object('first', one.id, 'second', other.id)
         from film one join film other using (block, warm_up, user_agent, repetition) where one.scenario = $3 and other.scenario = $4
         order by warm_up, greatest(one.place, other.place), user_agent, repetition, one.id, other.id limit 1)
     ) as found`,
    [runId, url, first, second, userAgent, metric, limit + 1],
  );
  const found = rows[0]!.found;
  return VisitPairsSchema.parse({
    pairs: found.pairs.slice(0, limit),
    hasMore: found.pairs.length > limit,
    median: found.first && found.second ? { first: found.first, second: found.second } : null,
    filmed: found.filmed,
  });
}
