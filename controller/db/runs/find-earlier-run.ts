import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import type { Queryable } from '../connection/queryable.ts';

export interface EarlierMeasurement {
  runId: string;
  evaluation: Evaluation;
  /** Blocks that count, in which at least one Round was completed and loaded a page. */
  blocks: number;
}

/** The newest Run of an Evaluation, known by its id or else by its name, in which a Round that counts was completed and a page was loaded in it; null without any. */
export async function findEarlierRun(
  db: Queryable,
  { evaluationId, name }: { evaluationId: string | null; name: string },
): Promise<EarlierMeasurement | null> {
  const { rows } = await db.query<{ id: string; document: unknown; blocks: number }>(
    `select run.id, run.document, count(distinct round.block)::int as blocks
     from run join round on round.run_id = run.id
     where case when $1::bigint is null then document ->> 'name' = $2 else evaluation_id = $1 end and round.state = 'completed' and not round.warm_up and not is_try and deleted_at is null and visits_deleted_at is null
       and exists (select from pass join visit on visit.pass_id = pass.id where pass.round_id = round.id and visit.status = 'ok')
     group by run.id order by run.id desc limit 1`,
    [evaluationId, name],
  );
  const row = rows[0];
  return row ? { runId: row.id, evaluation: EvaluationSchema.parse(row.document), blocks: row.blocks } : null;
}
