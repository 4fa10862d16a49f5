import { listHttpepScenarios } from '../evaluation/network/list-httpep-scenarios.ts';
import { explainNoPackets } from '../evaluation/capture/explain-no-packets.ts';
import { compareBandwidth } from './network/compare-bandwidth.ts';
import { compareFailedObjects } from './failed-objects/compare-failed-objects.ts';
import { findUnequalLosses } from './failed-objects/failed-objects.ts';
import { compareHttpep } from './network/compare-httpep.ts';
import { compareLatencies } from './latencies/compare-latencies.ts';
import { comparePoints } from './network/compare-points.ts';
import { compareUsers } from './users/compare-users.ts';
import type { CountedVisit } from './cells/counted-visit.ts';
import { designComparison, judgeVisits } from './design-comparison.ts';
import type { Comparison } from './comparison.ts';
import { describeHostDelays } from './host-load/host-delay.ts';
import { compareHostLoads } from './host-load/compare-host-loads.ts';
import { flagBusyHosts } from './host-load/flag-busy-hosts.ts';
import { stateHostDelays, stateHostLoad } from './host-load/state-host-load.ts';
import { gatherCells } from './cells/gather-cells.ts';
import { stateAdded } from './remarks/state-added.ts';
import { stateFindings } from './findings/state-findings.ts';
import { stateEndedTls } from './remarks/state-ended-tls.ts';
import { stateLossy } from './remarks/state-lossy.ts';
import { stateRemarks } from './remarks/state-remarks.ts';
import { weighUsers } from './users/weigh-users.ts';
import { summarizeSkew } from './summarize-skew.ts';
import { countAbsences } from './cells/count-absences.ts';
import { listSharedSettings } from './scenario-settings/list-shared-settings.ts';
import { leaveOutExcluded } from '../record/leave-out-excluded.ts';
import type { RunRecord } from '../record/run-record.ts';
import { latencyIds } from '../metrics/catalogue.ts';
import type { LatencyOrigin } from '../metrics/latency-origin.ts';
import { distinguishScenarios } from './scenario-settings/distinguish-scenarios.ts';

/** Of all latencies together. More would make a report of hundreds of megabytes. */
export const mostUserCells = 100_000;

/**
 * The Evaluation Comparison of a Run, as far as it has come: a pure function of its record, and of when latencies begin. Where there would be more than `most`, it has no cells of single User Agents:
 * `computeUserCells` gives those of one.
 */
export function computeComparison(
  record: RunRecord,
  from: LatencyOrigin = 'navigation-start',
  most: number = mostUserCells,
): Comparison {
  const { runId, state, seed, evaluation, added, starts, loads, traffic, points, ending, exclusions } = record;
  const { primaryMetric } = evaluation;
  const rule = evaluation.pageLoad.failedObjects;
  const visits = judgeVisits(record, from);
  const { confidence } = evaluation.comparison;
  const design = designComparison(record);
  const { baseline, groups, looks } = design;
  const hostLoad = compareHostLoads(loads, design);
  const hostDelays = describeHostDelays(visits, design.scenarios);
  const userCells = countUserCells(visits);
  const failedObjects = compareFailedObjects(visits, { ...design, rule });
  const losses = rule === 'count' ? findUnequalLosses(failedObjects, confidence) : new Map<string, never>();
  const metrics = compareLatencies(visits, {
    ...design,
    hasUserCells: userCells <= most,
    notComparable: new Set(losses.keys()),
  });
  const primary = metrics.find(({ metric }) => metric === primaryMetric)!;
  const users = compareUsers(
    gatherCells(visits, ({ latencies }) => latencies[primaryMetric]),
    starts,
    {
      ...design,
      startOffsetsMs: new Map(evaluation.userAgents.map(({ name, startOffsetMs = 0 }) => [name, startOffsetMs])),
    },
  );
  const quality = describeQuality(record);
  const bandwidth = compareBandwidth(traffic, {
    ...design,
    weights: new Map(
      evaluation.scenarios.map((scenario) => [scenario.name, weighUsers(evaluation.userAgents, scenario)]),
    ),
  });
  const capturePoints = comparePoints(points, { ...design, points: evaluation.capturePoints.map(({ name }) => name) });
  const overHttpep = listHttpepScenarios(evaluation);
  return {
    runId,
    evaluationName: evaluation.name,
    runState: state,
    seed,
    confidence,
    intervalConfidence: design.confidence,
    primaryMetric,
    ...(from !== 'navigation-start' && { countedFrom: from }),
    baseline,
    ...(groups && { groups }),
    scenarios: design.scenarios,
    userAgents: design.userAgents,
    conditions: distinguishScenarios(evaluation),
    sharedSettings: listSharedSettings(evaluation),
    findings: stateFindings({ primary, bandwidth, losses, baseline, groups, confidence, from }),
    remarks: [
      ...stateAdded(added, {
        looks,
        confidence,
        intervalConfidence: design.confidence,
        repetition: evaluation.repetition,
      }),
      ...stateRemarks({
        primary,
        users,
        failedObjects,
        baseline,
        groups,
        confidence,
        order: evaluation.repetition.order,
        unsettledVisits: quality.unsettledVisits,
      }),
      ...stateHostLoad(hostLoad, groups),
      ...stateHostDelays(hostDelays, { primary, baseline, groups }),
      ...stateLossy(evaluation.scenarios),
      ...stateEndedTls(evaluation.scenarios),
    ],
    ...quality,
    ending,
    exclusions,
    metrics: flagBusyHosts(metrics, hostLoad),
    ...(userCells > most && { userCellsLeftOut: userCells }),
    failedObjects,
    absences: countAbsences(visits),
    noCapture: traffic.some((round) => round.users.length > 0) ? null : explainNoPackets(evaluation),
    users,
    bandwidth,
    ...(capturePoints.length > 0 && { capturePoints }),
    ...(overHttpep.length > 0 && {
      httpep: compareHttpep(leaveOutExcluded(record.httpep, record.visits), { ...design, scenarios: overHttpep }),
    }),
    hostLoad,
    hostDelays,
  };
}

/** Of all latencies. */
function countUserCells(visits: readonly CountedVisit[]): number {
  const seen = new Map<string, Map<string, Set<string>>>();
  let cells = 0;
  for (const { scenario, userAgent, url } of visits) {
    const byUser = seen.get(scenario) ?? new Map<string, Set<string>>();
    const urls = byUser.get(userAgent) ?? new Set<string>();
    if (urls.size < urls.add(url).size) cells++;
    seen.set(scenario, byUser.set(userAgent, urls));
  }
  return cells * latencyIds.length;
}

/** How the Run went, for the small print of its report. */
function describeQuality({ rounds, visits }: RunRecord) {
  const completed = rounds.filter((round) => round.state === 'completed');
  const counted = completed.filter((round) => !round.warmUp);
  return {
    roundsCounted: counted.length,
    roundsBroken: rounds.filter((round) => round.state === 'broken').length,
    warmUpRounds: completed.length - counted.length,
    unsettledVisits: visits.filter((visit) => visit.isUnsettled && !visit.isExcluded).length,
    hiddenVisits: visits.filter((visit) => visit.isHidden && !visit.isExcluded).length,
    startSkew: summarizeSkew(
      counted.map(({ startSkewMs, startSkewErrorMs }) => ({ skewMs: startSkewMs, errorMs: startSkewErrorMs })),
    ),
    firstRequestSkew: summarizeSkew(
      counted.map(({ firstRequestSkewMs, firstRequestSkewErrorMs }) => ({
        skewMs: firstRequestSkewMs,
        errorMs: firstRequestSkewErrorMs,
      })),
    ),
    firstPacketSkew: summarizeSkew(
      counted.map(({ firstPacketSkewMs, firstPacketSkewErrorMs }) => ({
        skewMs: firstPacketSkewMs,
        errorMs: firstPacketSkewErrorMs,
      })),
    ),
  };
}
