import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { explainNoAddition } from '#core/record/explain-no-addition.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { insertAddedRounds, listAddedRounds, lockRun } from '../db/runs/added-rounds.ts';

/** Adds Rounds of each Scenario to a Run that has ended. Throws AppError 'not-found', 'conflict' where it cannot be continued. */
export async function addRounds(
  pool: Pool,
  { runId, rounds, requestedBy }: { runId: string; rounds: number; requestedBy: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
    const added = await listAddedRounds(client, runId);
    const problem = explainNoAddition({ ...run, additions: added.length });
    if (problem !== null) throw new AppError('conflict', `Run ${runId}: ${problem}`);
    const next = { firstBlock: run.lastBlock + 1, blocks: rounds };
    await insertAddedRounds(client, {
      runId,
      requestedBy,
      ...next,
      roundsPlanned: expandEvaluation(EvaluationSchema.parse(run.document), run.seed, [...added, next]).length,
    });
  });
}
