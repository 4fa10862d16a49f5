import { urlsOf } from '../evaluation/expand-evaluation.ts';
import { latencyIds } from '../metrics/catalogue.ts';
import { compareBandwidth } from '../statistics/compare-bandwidth.ts';
import { compareMetric } from '../statistics/compare-metric.ts';
import type { Comparison } from '../statistics/comparison.ts';
import { stateFindings } from '../statistics/state-findings.ts';
import { weighUsers } from '../statistics/weigh-users.ts';
import type { RunRecord } from './run-record.ts';

const confidence = 0.95;

/** The Evaluation Comparison of a Run, as far as it has come: a pure function of its record. */
export function computeComparison(record: RunRecord): Comparison {
  const { runId, state, seed, evaluation, visits, traffic } = record;
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
    runState: state,
    seed,
    confidence,
    primaryMetric: evaluation.primaryMetric,
    baseline,
    scenarios: design.scenarios,
    userAgents: design.userAgents,
    findings: stateFindings(primary, { baseline, confidence }),
    ...describeQuality(record),
    metrics,
    bandwidth: compareBandwidth(traffic, { ...design, weights: new Map(evaluation.scenarios.map(({ name, network }) => [name, weighUsers(evaluation.userAgents, network)])) }),
  };
}

/** How the Run went, for the small print of its report. */
function describeQuality({ rounds, visits }: RunRecord) {
  const completed = rounds.filter((round) => round.state === 'completed');
  const counted = completed.filter((round) => !round.warmUp);
  const skews = counted.flatMap(({ startSkewMs }) => (startSkewMs === null ? [] : [startSkewMs]));
  return {
    roundsCounted: counted.length,
    roundsBroken: rounds.filter((round) => round.state === 'broken').length,
    warmUpRounds: completed.length - counted.length,
    unsettledVisits: visits.filter((visit) => visit.isUnsettled).length,
    hiddenVisits: visits.filter((visit) => visit.isHidden).length,
    largestStartSkewMs: skews.length === 0 ? null : Math.max(...skews),
  };
}
