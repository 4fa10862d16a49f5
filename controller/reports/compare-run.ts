import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/expand-evaluation.ts';
import { latencyIds } from '#core/metrics/catalogue.ts';
import { compareBandwidth } from '#core/statistics/compare-bandwidth.ts';
import { compareMetric } from '#core/statistics/compare-metric.ts';
import type { Comparison } from '#core/statistics/comparison.ts';
import { stateFindings } from '#core/statistics/state-findings.ts';
import { readCountedVisits, readRunQuality } from '../db/observations.ts';
import type { Queryable } from '../db/queryable.ts';
import { readRoundTraffic } from '../db/round-traffic.ts';
import { readRun } from '../db/runs.ts';

const confidence = 0.95;

/** The Evaluation Comparison of a Run, as far as it has come. Throws AppError 'not-found'. */
export async function compareRun(db: Queryable, runId: string): Promise<Comparison> {
  const run = await readRun(db, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const evaluation = EvaluationSchema.parse(run.document);
  const visits = await readCountedVisits(db, runId);
  const quality = await readRunQuality(db, runId);

  const baseline = evaluation.scenarios.find((scenario) => scenario.baseline)!.name;
  const pages = new Map(evaluation.userAgents.flatMap(({ urlList }) => urlsOf(evaluation, urlList)).map((page) => [page.url, page]));
  const design = {
    scenarios: evaluation.scenarios.map(({ name }) => name),
    baseline,
    userAgents: evaluation.userAgents.map(({ name }) => name),
    urls: [...pages.values()],
    confidence,
  };
  const metrics = latencyIds.map((metric) => compareMetric(metric, visits.map((visit) => ({ ...visit, value: visit.latencies[metric] })), design));
  const primary = metrics.find(({ metric }) => metric === evaluation.primaryMetric)!;
  return {
    runId,
    evaluationName: evaluation.name,
    runState: run.state,
    seed: run.seed,
    confidence,
    primaryMetric: evaluation.primaryMetric,
    baseline,
    scenarios: design.scenarios,
    userAgents: design.userAgents,
    findings: stateFindings(primary, { baseline, confidence }),
    ...quality,
    metrics,
    bandwidth: compareBandwidth(await readRoundTraffic(db, runId), design),
  };
}
