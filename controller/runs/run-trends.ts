import { createHash } from 'node:crypto';
import { RunTrendSchema } from '#core/comparison/outcome/summarise-trend.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { EvaluationTrend } from '#core/protocol/api/evaluation-trend.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { Queryable } from '../database/queryable.ts';
import { digestDefinition, isCurrentDigest } from './run-digests.ts';

/** Of the documents that are read for one trend, as PostgreSQL stores them: more would hold up the Controller. */
const mostDocumentBytes = 4e6;

/** The newest completed Runs of an Evaluation, at most `limit`, with what their digests have for its trend. No Visit is read. */
export async function readTrend(
  db: Queryable,
  { evaluationId, threshold, limit }: { evaluationId: string; threshold: number | null; limit: number },
): Promise<EvaluationTrend> {
  const { rows } = await db.query<{
    id: string;
    started_at: Date;
    labels: RunLabels;
    settings_md5: string;
    trend: unknown;
    webhook_problem: string | null;
    has_visits: boolean;
  }>(
    `select run.id, run.started_at, run.labels, run.settings_md5, digest.trend, run.visits_deleted_at is null as has_visits,
       case when judged.crosses and judged.delivered_at is null then judged.problem end as webhook_problem
     from run left join run_digest digest on ${isCurrentDigest} left join run_threshold judged on judged.run_id = run.id
     where run.evaluation_id = $2 and run.state = 'completed' and run.started_at is not null and not run.is_try and run.deleted_at is null
     order by run.id desc limit $3`,
    [digestDefinition, evaluationId, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const settingsOf = await identifySettings(
    db,
    shown.map(({ id }) => id),
  );
  return {
    isCut: rows.length > limit,
    threshold,
    runs: shown.reverse().map(({ id, started_at, labels, settings_md5, trend, webhook_problem, has_visits }) => ({
      id,
      startedAt: started_at.toISOString(),
      labels,
      webhookProblem: webhook_problem,
      settings: settingsOf.get(settings_md5) ?? settings_md5,
      // That of a Run without Visits may be of an earlier form.
      trend:
        trend === null
          ? null
          : has_visits
            ? RunTrendSchema.parse(trend)
            : (RunTrendSchema.safeParse(trend).data ?? null),
    })),
  };
}

/**
 * By `settings_md5` of these Runs, what is the same for the same settings: a Run that an earlier version stored lacks settings that have come since, and has their defaults.
 * Those of the newest Runs alone where there are too many to read. Empty where all are the same already.
 */
async function identifySettings(db: Queryable, runIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ settings_md5: string; document: unknown }>(
    `with newest as (select settings_md5, max(id) as id from run where id = any($1) group by 1),
     sized as (
       select newest.settings_md5, newest.id, sum(pg_column_size(document)) over (order by newest.id desc) as bytes, count(*) over () as different
       from newest join run using (id))
     select sized.settings_md5, document from sized join run using (id) where bytes <= $2 and different > 1`,
    [runIds, mostDocumentBytes],
  );
  return new Map(
    rows.flatMap(({ settings_md5: stored, document }) => {
      const read = EvaluationSchema.safeParse(document);
      if (!read.success) return [];
      const settings = { ...read.data, name: '', description: '', figures: [], resources: [], trend: undefined }; // as in `settings_md5`
      return [[stored, createHash('md5').update(JSON.stringify(settings)).digest('hex')]];
    }),
  );
}
