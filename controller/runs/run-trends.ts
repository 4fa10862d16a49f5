import { RunTrendSchema } from '#core/comparison/outcome/run-trend.ts';
import type { EvaluationTrend } from '#core/protocol/api/evaluation-trend.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { Queryable } from '../database/queryable.ts';
import { digestDefinition, isCurrentDigest } from './run-digests.ts';

/** The newest completed Runs of an Evaluation, at most `limit`, with what their digests have for its trend. No Visit is read. */
export async function readTrend(
  db: Queryable,
  { evaluationId, limit }: { evaluationId: string; limit: number },
): Promise<EvaluationTrend> {
  const { rows } = await db.query<{
    id: string;
    started_at: Date;
    labels: RunLabels;
    settings_md5: string;
    trend: unknown;
    has_visits: boolean;
  }>(
    `select run.id, run.started_at, run.labels, run.settings_md5, digest.trend, run.visits_deleted_at is null as has_visits
     from run left join run_digest digest on ${isCurrentDigest}
     where run.evaluation_id = $2 and run.state = 'completed' and run.started_at is not null and not run.is_try and run.deleted_at is null
     order by run.id desc limit $3`,
    [digestDefinition, evaluationId, limit + 1],
  );
  return {
    isCut: rows.length > limit,
    runs: rows
      .slice(0, limit)
      .reverse()
      .map(({ id, started_at, labels, settings_md5, trend, has_visits }) => ({
        id,
        startedAt: started_at.toISOString(),
        labels,
        settings: settings_md5,
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
