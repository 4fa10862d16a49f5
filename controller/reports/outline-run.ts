import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { findSolos } from '#core/evaluation/scenarios/solo-scenarios.ts';
import { latencyIds } from '#core/metrics/index.ts';
import type { ComparisonOutline, OutlinedMean, OutlinedMetric } from '#core/comparison/comparison-outline.ts';
import { describeGroups } from '#core/comparison/compared-group.ts';
import { toReduction } from '#core/comparison/latencies/compute-reduction.ts';
import { meanInterval } from '#core/statistics/mean-interval.ts';
import type { SampleSummary } from '#core/statistics/summarize-sample.ts';
import { halfWidthOf } from '#core/stop-rule/decide-stop.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import { readLooks } from '../runs/run-facts.ts';
import { readBlocks, readPooledCells, rollUpRun, summaryOf, type BlockRow } from '../runs/rollups.ts';
import { readRun } from '../runs/stored-runs.ts';

/** The first answer of a Run's report, from its rollups. Throws AppError 'not-found'. */
export async function outlineRun(pool: Pool, runId: string): Promise<ComparisonOutline> {
  const run = await readRun(pool, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const { primaryMetric, comparison, repetition, scenarios } = EvaluationSchema.parse(run.document);
  const confidence = intervalConfidence(repetition, comparison.confidence, await readLooks(pool, runId));
  await rollUpRun(pool, runId);
  const marked = markTraits(scenarios);
  const solos = new Set(findSolos(scenarios).map(({ name }) => name));
  const cells = await readPooledCells(pool, runId);
  const blocks = await readBlocks(pool, runId);

  const metrics = latencyIds.map((metric): OutlinedMetric => ({
    metric,
    scenarios: marked.map(({ name, baseline, trait }) => {
      const own = blocks.filter((row) => row.metric === metric && row.scenario === name);
      return {
        scenario: name,
        isBaseline: baseline,
        ...(trait !== undefined && { trait }),
        ...(solos.has(name) && { isSolo: true }),
        ...addUp(own),
        mean: meanOf(
          own.flatMap(({ mean }) => mean ?? []),
          confidence,
        ),
        reduction: baseline || solos.has(name) ? null : reductionOf(own, confidence),
      };
    }),
    cells: cells
      .filter((row) => row.metric === metric)
      .map(({ scenario, url, visits, failedVisits, absentVisits, count, mean, squares }) => ({
        scenario,
        url,
        visits,
        failedVisits,
        absentVisits,
        mean: mean === null ? null : outline(summaryOf({ count, mean, squares }), confidence),
      })),
  }));
  return {
    runId,
    runState: run.state,
    confidence: comparison.confidence,
    primaryMetric,
    ...describeGroups(scenarios),
    metrics,
  };
}

function addUp(blocks: readonly BlockRow[]): { visits: number; failedVisits: number; absentVisits: number } {
  const sum = (count: 'visits' | 'failedVisits' | 'absentVisits') =>
    blocks.reduce((total, row) => total + row[count], 0);
  return { visits: sum('visits'), failedVisits: sum('failedVisits'), absentVisits: sum('absentVisits') };
}

function meanOf(values: readonly number[], confidence: number): OutlinedMean | null {
  return values.length === 0 ? null : outline(meanInterval(values, confidence), confidence);
}

function outline(summary: SampleSummary, confidence: number): OutlinedMean {
  return {
    rounds: summary.count,
    mean: summary.mean,
    halfWidth: halfWidthOf(summary, { rounds: summary.count, confidence }),
  };
}

function reductionOf(
  blocks: readonly BlockRow[],
  confidence: number,
): OutlinedMetric['scenarios'][number]['reduction'] {
  const mean = meanOf(
    blocks.flatMap(({ logRatio }) => logRatio ?? []),
    confidence,
  );
  if (mean === null) return null;
  const { halfWidth } = mean;
  return {
    blocks: mean.rounds,
    ratio: toReduction(mean.mean),
    low: halfWidth === null ? null : toReduction(mean.mean + halfWidth),
    high: halfWidth === null ? null : toReduction(mean.mean - halfWidth),
  };
}
