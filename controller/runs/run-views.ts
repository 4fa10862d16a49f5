import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import type { ShownPasses } from '#core/protocol/api/run-contents.ts';
import type { Queryable } from '../database/queryable.ts';
import { listAddedRounds } from './store-added-rounds.ts';
import { findRunSummary } from './run-summaries.ts';
import { listRoundViews, listScriptExecutions, type RoundView } from './round-views.ts';

/** A Run with all that is stored of its progress; what only connected Agents know is not in it. */
export type RunView = Omit<RunDetail, 'rounds' | 'missingAgents' | 'diskProblem'> & {
  rounds: RoundView[];
};

export async function findRunView(db: Queryable, runId: string, whose: ShownPasses = 'all'): Promise<RunView | null> {
  const found = await findRunSummary(db, runId);
  if (!found) return null;
  const { rows } = await db.query<{ seed: string; document: unknown }>('select seed, document from run where id = $1', [
    runId,
  ]);
  const seed = Number(rows[0]!.seed);
  const evaluation = EvaluationSchema.parse(rows[0]!.document);
  const added = await listAddedRounds(db, runId);
  return {
    ...found,
    seed,
    added,
    evaluation,
    // Of a Run that its stop rule ends, as far as it is expected to go.
    plan: expandEvaluation(evaluation, seed, added).slice(0, Math.max(found.roundsPlanned, found.roundsCompleted)),
    rounds: await listRoundViews(db, runId, whose),
    scripts: await listScriptExecutions(db, runId),
  };
}
