import {
  EvaluationRetentionSchema,
  KeptDaysSchema,
  RetentionSchema,
  type KeptDays,
} from '#core/protocol/api/retention.ts';
import { readKeptDays, readKeptDaysOf, storeKeptDays, storeKeptDaysOf } from './kept-days.ts';
import { idleSessionHours, sessionHours } from '../people/sessions.ts';
import { ticketHours } from '../people/sign-in-tickets.ts';
import { jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { needEvaluation } from '../evaluations/evaluation-routes.ts';
import type { Queryable } from '../database/queryable.ts';

export function retentionRoutes({ pool, traces, pictures, clearing }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/retention',
      summary: 'Get the retention limits and the disk usage',
      access: 'viewer',
      answer: RetentionSchema,
      handle: async () => {
        const { traceBytes, pictureBytes, databaseBytes } = await measureStorage(pool);
        return {
          days: await readKeptDays(pool),
          traces: { limitBytes: traces.maximumBytes, storedBytes: traceBytes },
          pictures: { limitBytes: pictures.maximumBytes, storedBytes: pictureBytes },
          databaseBytes,
          sessionHours,
          idleSessionHours,
          ticketHours,
        };
      },
    }),
    jsonRoute({
      method: 'put',
      path: '/api/retention/days',
      summary:
        'Set how many days after the end of a Run its Snapshots and Visits are kept. Evaluations may have settings of their own',
      access: 'admin',
      body: KeptDaysSchema,
      answer: KeptDaysSchema,
      handle: async ({ body }) => {
        await storeKeptDays(pool, body);
        clearing.wake();
        return body;
      },
      audit: ({ body }) => ({ action: 'retention-changed', subject: 'All Evaluations', details: { ...body } }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/evaluations/:id/retention',
      summary: 'Get how many days the Snapshots and Visits of an Evaluation are kept; `days` is null if as for all',
      access: 'viewer',
      params: IdParams,
      answer: EvaluationRetentionSchema,
      handle: async ({ params }) => {
        await needEvaluation(pool, params.id);
        return { days: await readKeptDaysOf(pool, params.id) };
      },
    }),
    jsonRoute({
      method: 'put',
      path: '/api/evaluations/:id/retention',
      summary: 'Set the same of one Evaluation; `days` is null for the setting of all',
      access: 'admin',
      params: IdParams,
      body: EvaluationRetentionSchema,
      answer: EvaluationRetentionSchema,
      handle: async ({ params, body }) => {
        await needEvaluation(pool, params.id);
        await storeKeptDaysOf(pool, params.id, body.days);
        clearing.wake();
        return body;
      },
      audit: ({ params }, { days }) => ({
        action: 'retention-changed',
        subject: `Evaluation ${params.id}`,
        details: describeDays(days),
      }),
    }),
  ];
}

function describeDays(days: KeptDays | null): Record<string, number | boolean | null> {
  return days === null ? { asForAll: true } : { ...days };
}

/** How much the files that were not given up yet, and the database itself, have of the disk. */
async function measureStorage(
  db: Queryable,
): Promise<{ traceBytes: number; pictureBytes: number; databaseBytes: number }> {
  const { rows } = await db.query<{ trace_bytes: string; picture_bytes: string; database_bytes: string }>(
    `select
       (select coalesce(sum(trace_bytes), 0) from capture where trace_sha256 is not null and trace_removed_at is null) as trace_bytes,
       (select coalesce(sum(bytes), 0) from picture_file) as picture_bytes,
       pg_database_size(current_database()) as database_bytes`,
  );
  const { trace_bytes, picture_bytes, database_bytes } = rows[0]!;
  return {
    traceBytes: Number(trace_bytes),
    pictureBytes: Number(picture_bytes),
    databaseBytes: Number(database_bytes),
  };
}
