import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { listLooks } from '#core/record/list-looks.ts';
import { recordDecision, type BlockDecision } from '#core/stop-rule/block-decision.ts';
import { decideStop } from '#core/stop-rule/decide-stop.ts';
import { estimateRun } from '#core/stop-rule/estimate-run.ts';
import { listAddedRounds, listCountedBlocks } from '../db/runs/added-rounds.ts';
import { rollUpRun } from '../db/rounds/roll-up-run.ts';
import { readStopCells } from '../db/rounds/rollups.ts';
import { readRunPace } from '../db/runs/run-pace.ts';
import { findDecision, storeDecision } from '../db/runs/stop-decisions.ts';
import type { RunContext } from './run-context.ts';

/** Whether the Run ends after this Block. A decision stays, no matter which Controller made it. */
export async function decideAfterBlock({ run, store }: RunContext, block: number): Promise<BlockDecision> {
  const earlier = await store((db) => findDecision(db, run.id, block));
  if (earlier) return earlier;

  const added = await store((db) => listAddedRounds(db, run.id));
  const last = added.at(-1);
  const ofAdded = last && {
    lastBlock: last.firstBlock + last.blocks - 1,
    looks: listLooks(added, await store((db) => listCountedBlocks(db, run.id))).slice(0, -1),
  };
  const { repetition, primaryMetric, comparison } = run.evaluation;
  const { confidence } = comparison;
  await store((db) => rollUpRun(db, run.id));
  const cells = repetition.adaptive
    ? await store((db) => readStopCells(db, run.id, repetition.adaptive?.metrics ?? [primaryMetric]))
    : [];
  const pace = await store((db) => readRunPace(db, run.id));

  const blocksExpected =
    ofAdded?.lastBlock ?? estimateRun({ repetition, confidence, blockMs: pace.blockMs ?? 0, cells }).rounds;
  const decision = recordDecision(
    decideStop({ ...pace, blocks: block, added: ofAdded, repetition, confidence, cells }),
    {
      ...pace,
      blocks: block,
      blocksExpected,
    },
  );
  const roundsExpected = expandEvaluation(run.evaluation, run.seed, added).filter(
    (planned) => planned.block <= decision.blocksExpected,
  ).length;
  await store((db) => storeDecision(db, run, { decision, roundsExpected }));
  return decision;
}
