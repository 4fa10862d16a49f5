import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { findSolos } from '#core/evaluation/scenarios/solo-scenarios.ts';
import type { RoundsProposal } from '#core/protocol/api/rounds-proposal.ts';
import { meanInterval } from '#core/statistics/mean-interval.ts';
import { targetOf, halfWidthOf } from '#core/stop-rule/decide-stop.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import { listAddedRounds, listCountedBlocks, explainNoAddition } from '../runs/store-added-rounds.ts';
import { readLooks } from '../runs/run-facts.ts';
import { readBlocks, readStopCells, rollUpRun } from '../runs/rollups.ts';
import { listConditions, readConditionsNow, describeChanges } from '../runs/run-conditions.ts';
import { readRunPace } from '../runs/run-pace.ts';
import { findRunSummary } from '../runs/run-summaries.ts';
import { kindOfOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { readRun } from '../runs/stored-runs.ts';
import { mostAddedRounds, type Repetition } from '#core/evaluation/rounds/repetition.ts';

/** How many Rounds to add to a Run, from its observed variation. Throws AppError 'not-found'. */
export async function proposeRounds(pool: Pool, runId: string): Promise<RoundsProposal> {
  const run = await readRun(pool, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const evaluation = EvaluationSchema.parse(run.document);
  await rollUpRun(pool, runId);
  const added = await listAddedRounds(pool, runId);
  const { length: blocks } = await listCountedBlocks(pool, runId);
  const looksBefore = await readLooks(pool, runId);
  const looks = looksBefore.length > 0 ? looksBefore : [blocks];

  const { repetition, comparison } = evaluation;
  const { confidence } = comparison;
  const { goal, goals } = repetition.adaptive
    ? await aimAtTarget(pool, { runId, evaluation, adaptive: repetition.adaptive })
    : await aimAtMargin(pool, { runId, evaluation });
  const most = blocks + mostAddedRounds;
  const needed = blocks === 0 ? null : countBlocksNeeded(goals, { repetition, confidence, looks, most });
  // Where the goal is out of reach, as many again: intervals become about a third narrower.
  const rounds = needed === null ? Math.min(mostAddedRounds, Math.max(1, blocks)) : needed - blocks;
  const conditions = (await listConditions(pool, runId)).findLast(({ endedAt }) => endedAt !== null);
  return {
    refusal: explainNoAddition({ ...run, additions: added.length, lastBlock: blocks }),
    blocks,
    rounds,
    isEnough: needed !== null,
    decided: await readDecision(pool, runId),
    goal,
    blockMs: (await readRunPace(pool, runId)).blockMs,
    warmUp: repetition.warmUp,
    confidence,
    confidenceNow: intervalConfidence(repetition, confidence, looks),
    confidenceThen: intervalConfidence(repetition, confidence, [...looks, blocks + rounds]),
    isDeclared: repetition.mayAddRounds === true,
    changes: conditions ? describeChanges(conditions, await readConditionsNow(pool, evaluation)) : [],
  };
}

/** The headline of a Run, where it says faster, slower or equivalent; null while it is not computed. */
async function readDecision(pool: Pool, runId: string): Promise<string | null> {
  const outcome = (await findRunSummary(pool, runId))?.outcome;
  return outcome && !['undecided', 'none'].includes(kindOfOutcome(outcome)) ? outcome.text : null;
}

interface Aim {
  goal: RoundsProposal['goal'];
  goals: Goal[];
}

/** The target of the stop rule, for every cell. */
async function aimAtTarget(
  pool: Pool,
  {
    runId,
    evaluation,
    adaptive,
  }: { runId: string; evaluation: Evaluation; adaptive: NonNullable<Evaluation['repetition']['adaptive']> },
): Promise<Aim> {
  const { target, metrics = [evaluation.primaryMetric] } = adaptive;
  const cells = await readStopCells(pool, runId, metrics);
  const goals = cells.flatMap(({ rounds }) =>
    rounds?.standardDeviation == null
      ? []
      : [{ standardDeviation: rounds.standardDeviation, halfWidth: targetOf(rounds, target) }],
  );
  return {
    goal:
      target.halfWidthMs === undefined
        ? { of: 'mean-ratio', halfWidth: target.halfWidthRatio! }
        : { of: 'mean-ms', halfWidth: target.halfWidthMs },
    // Of a mean without a spread, as of a page that never loads, nothing is known to be enough.
    goals: goals.length < cells.length ? [] : goals,
  };
}

/** The margin of equivalence, for the reduction of every Scenario: a difference that matters is then outside of the interval, or 0 is. */
async function aimAtMargin(pool: Pool, { runId, evaluation }: { runId: string; evaluation: Evaluation }): Promise<Aim> {
  const { equivalenceMargin, confidence } = evaluation.comparison;
  const solos = new Set(findSolos(evaluation.scenarios).map(({ name }) => name));
  const rows = (await readBlocks(pool, runId)).filter(
    ({ metric, scenario }) => metric === evaluation.primaryMetric && !solos.has(scenario),
  );
  const ratios = Map.groupBy(
    rows.filter(({ logRatio }) => logRatio !== null),
    ({ scenario }) => scenario,
  );
  return {
    goal: { of: 'reduction', halfWidth: equivalenceMargin },
    goals: [...ratios.values()].flatMap((ofScenario) => {
      const { standardDeviation } = meanInterval(
        ofScenario.map(({ logRatio }) => logRatio!),
        confidence,
      );
      return standardDeviation === null ? [] : [{ standardDeviation, halfWidth: -Math.log(1 - equivalenceMargin) }];
    }),
  };
}

/** A spread of values, one per Block, and how narrow the interval of their mean is to become. */
interface Goal {
  standardDeviation: number;
  halfWidth: number;
}

/** How many Blocks a Run needs in all, after these looks at its result, until the interval of every mean is narrow enough; null when even `most` are too few, or nothing is known. */
export function countBlocksNeeded(
  goals: readonly Goal[],
  {
    repetition,
    confidence,
    looks,
    most,
  }: { repetition: Repetition; confidence: number; looks: readonly number[]; most: number },
): number | null {
  if (goals.length === 0) return null;
  const isEnough = (blocks: number) => {
    const confidenceThen = intervalConfidence(repetition, confidence, [...looks, blocks]);
    return goals.every(
      ({ standardDeviation, halfWidth }) =>
        halfWidthOf({ count: blocks, mean: 0, standardDeviation }, { rounds: blocks, confidence: confidenceThen })! <=
        halfWidth,
    );
  };
  let [low, high] = [Math.max(2, (looks.at(-1) ?? 0) + 1), most + 1];
  if (!isEnough(most)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
