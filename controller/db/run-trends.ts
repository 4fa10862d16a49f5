import { RunTrendSchema } from '#core/comparison/run-trend.ts';
import type { EvaluationTrend } from '#core/protocol/api/evaluation-trend.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { Queryable } from './connection/queryable.ts';
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
  }>(
    `select run.id, run.started_at, run.labels, run.settings_md5, digest.trend
     from run left join run_digest digest on ${isCurrentDigest}
     where run.evaluation_id = $2 and run.state = 'completed' and run.started_at is not null and not run.is_try
     order by run.id desc limit $3`,
    [digestDefinition, evaluationId, limit + 1],
  );
  return {
    isCut: rows.length > limit,
    runs: rows
      .slice(0, limit)
      .reverse()
      .map(({ id, started_at, labels, settings_md5, trend }) => ({
        id,
        startedAt: started_at.toISOString(),
        labels,
        settings: settings_md5,
        trend: trend === null ? null : RunTrendSchema.parse(trend),
      })),
  };
}
