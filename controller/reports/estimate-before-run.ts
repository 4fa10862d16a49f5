import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import { leastRunMs } from '#core/evaluation/rounds/least-run-ms.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { estimateRun } from '#core/stop-rule/estimate-run.ts';
import type { StopCell } from '#core/stop-rule/target-half-width.ts';
import { findEarlierRun } from '../db/runs/find-earlier-run.ts';
import { rollUpRun } from '../db/rounds/roll-up-run.ts';
import { readStopCells } from '../db/rounds/rollups.ts';
import { readRunPace } from '../db/runs/run-pace.ts';

/** Rounds and time of a Run that was not begun yet. `evaluationId` is null of an Evaluation that is not stored: its earlier Runs are known by its name then. */
export async function estimateBeforeRun(
  pool: Pool,
  { evaluationId, evaluation }: { evaluationId: string | null; evaluation: Evaluation },
): Promise<EstimateAnswer> {
  const earlier = await findEarlierRun(pool, { evaluationId, name: evaluation.name });
  if (!earlier)
    return needsPilot(
      evaluation,
      `No earlier Run of "${evaluation.name}" has a completed Round with a loaded page: run a pilot, such as with "rounds: 3", then estimate again`,
    );
  const { runId, blocks } = earlier;
  await rollUpRun(pool, runId);
  // Visits that fail at once do not show how long pages take.
  const pace = await readRunPace(pool, runId, { isOfLoadedPages: true });
  if (pace.blockMs === null)
    return needsPilot(
      evaluation,
      `Run ${runId} does not show how long a Round takes: run a pilot, such as with "rounds: 3", then estimate again`,
    );

  const { repetition, primaryMetric, comparison, scenarios } = evaluation;
  const blockMs = (pace.blockMs * scenarios.length) / earlier.evaluation.scenarios.length;
  const measured = await readStopCells(pool, runId, repetition.adaptive?.metrics ?? [primaryMetric]);
  const cells = repetition.adaptive ? matchCells(evaluation, measured) : [];
  const { rounds, durationMs, endsBy, slowest } = estimateRun({
    repetition,
    confidence: comparison.confidence,
    blockMs,
    cells,
  });
  return {
    kind: 'estimated',
    rounds,
    durationMs,
    endsBy,
    slowest: slowest && {
      metric: slowest.cell.metric,
      scenario: slowest.cell.scenario,
      userAgent: slowest.cell.userAgent,
      url: slowest.cell.url,
      rounds: Math.min(slowest.rounds, repetition.adaptive!.maxRounds),
    },
    unknownCells: cells.filter((cell) => cell.rounds?.standardDeviation == null).length,
    basis: { runId, blocks, blockMs, isSameConfiguration: isSame(evaluation, earlier.evaluation) },
  };
}

/** Every cell that the Evaluation is going to have, with what was measured of it. */
function matchCells(evaluation: Evaluation, measured: readonly StopCell[]): StopCell[] {
  const keyOf = (cell: Omit<StopCell, 'rounds'>) =>
    JSON.stringify([cell.metric, cell.scenario, cell.userAgent, cell.url]);
  const known = new Map(measured.map((cell) => [keyOf(cell), cell]));
  const { repetition, primaryMetric, scenarios, userAgents } = evaluation;
  return (repetition.adaptive?.metrics ?? [primaryMetric]).flatMap((metric) =>
    scenarios.flatMap(({ name: scenario }) =>
      userAgents.flatMap(({ name: userAgent, urlList }) =>
        urlsOf(evaluation, urlList).map(({ url }): StopCell => {
          const cell = { metric, scenario, userAgent, url };
          return { ...cell, rounds: known.get(keyOf(cell))?.rounds ?? null };
        }),
      ),
    ),
  );
}

/** Apart from what changes nothing of a Round. */
function isSame(one: Evaluation, other: Evaluation): boolean {
  const { description, repetition, comparison, primaryMetric, pageLoad, figures } = one;
  return isDeepStrictEqual(one, {
    ...other,
    description,
    repetition,
    comparison,
    primaryMetric,
    figures,
    pageLoad: { ...other.pageLoad, failedObjects: pageLoad.failedObjects },
  });
}

function needsPilot(evaluation: Evaluation, reason: string): EstimateAnswer {
  return { kind: 'needs-pilot', reason, leastDurationMs: leastRunMs(evaluation) };
}
