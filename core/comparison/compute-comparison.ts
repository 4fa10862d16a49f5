import { listHttpepScenarios } from '../evaluation/network/list-httpep-scenarios.ts';
import { findDoubtfulBlocks } from './checks/doubtful-blocks.ts';
import { compareCauses } from './causes/compare-causes.ts';
import { compareBandwidth, weighUsers } from './network/compare-bandwidth.ts';
import { findUnequalLosses, compareFailedObjects } from './failed-objects/failed-objects.ts';
import { compareHttpep } from './network/compare-httpep.ts';
import { compareLatencies } from './latencies/compare-latencies.ts';
import { comparePoints } from './network/compare-points.ts';
import { compareDelays, describeUsedLink } from './users/compare-delays.ts';
import { compareHarm, leaveOutSolos } from './users/compare-harm.ts';
import { compareUsers } from './users/compare-users.ts';
import { countLacking, stateLacking } from './remarks/lacking-recordings.ts';
import { designComparison, judgeVisits } from './design-comparison.ts';
import { type Comparison, type MetricComparison, summarizeSkew } from './comparison.ts';
import { compareHostLoads } from './host-load/compare-host-loads.ts';
import { stateHostDelays, stateHostLoad, listBusyScenarios } from './host-load/state-host-load.ts';
import { gatherLatencies } from './cells/gather-cells.ts';
import { stateFindings } from './findings/state-findings.ts';
import { stateRemarks, stateAdded, listInWords } from './remarks/state-remarks.ts';
import { countAbsences } from './cells/count-absences.ts';
import type { RunRecord } from '../record/run-record.ts';
import { latencyIds } from '../metrics/index.ts';
import type { LatencyOrigin } from '../metrics/latency-origin.ts';
import { distinguishScenarios, shorten } from './scenario-settings/distinguish-scenarios.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { explainNoCapture } from '../evaluation/capture/explain-no-capture.ts';
import { type Scenario, ScenarioSchema } from '../evaluation/scenarios/scenario.ts';
import type { Remark } from './remarks/remark.ts';
import { describeHostDelays, type HostLoadComparison } from './host-load/host-load-comparison.ts';
import { listSettings, isSame } from './scenario-settings/list-settings.ts';
import type { SharedSetting } from './scenario-settings/scenario-conditions.ts';

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
  const made = leaveOutSolos(record);
  const arms = leaveOutExcluded(made);
  const { runId, state, seed, evaluation, added, starts, loads, traffic, points, ending, exclusions } = arms;
  const { primaryMetric } = evaluation;
  const rule = evaluation.pageLoad.failedObjects;
  const visits = judgeVisits(arms, from);
  const { confidence } = evaluation.comparison;
  // The stop rule has looked at Rounds that were excluded afterwards, too.
  const design = designComparison(made);
  const { baseline, groups, looks } = design;
  const hostLoad = compareHostLoads(loads, design);
  const hostDelays = describeHostDelays(visits, design.scenarios);
  const gathered = gatherLatencies(visits);
  const userCells = latencyIds.reduce((sum, metric) => sum + gathered[metric].cells.length, 0);
  const lacking = countLacking(arms.visits, design.scenarios);
  const failedObjects = compareFailedObjects(visits, { ...design, rule });
  const losses = rule === 'count' ? findUnequalLosses(failedObjects, confidence) : new Map<string, never>();
  const notComparable = new Set(losses.keys());
  const metrics = compareLatencies(gathered, { ...design, hasUserCells: userCells <= most, notComparable });
  const primary = metrics.find(({ metric }) => metric === primaryMetric)!;
  const users = compareUsers(gathered[primaryMetric], starts, {
    ...design,
    startOffsetsMs: new Map(evaluation.userAgents.map(({ name, startOffsetMs = 0 }) => [name, startOffsetMs])),
  });
  const harm = compareHarm(arms === record ? visits : judgeVisits(record, from), {
    evaluation: record.evaluation,
    confidence: design.confidence,
  });
  const quality = describeQuality(arms);
  const bandwidth = compareBandwidth(traffic, {
    ...design,
    weights: new Map(
      evaluation.scenarios.map((scenario) => [scenario.name, weighUsers(evaluation.userAgents, scenario)]),
    ),
  });
  const capturePoints = comparePoints(points, {
    ...design,
    points: evaluation.capturePoints.map(({ name }) => name),
    notComparable,
  });
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
      ...stateLacking(lacking),
    ],
    ...quality,
    doubtfulBlocks: findDoubtfulBlocks({ rounds: arms.rounds, visits }, leastMeanOf(primary)),
    ending,
    ...(lacking.length > 0 && { lackingRecordings: lacking }),
    exclusions,
    metrics: flagBusyHosts(metrics, hostLoad),
    ...(userCells > most && { userCellsLeftOut: userCells }),
    causes: compareCauses(visits, {
      ...design,
      metric: primaryMetric,
      notComparable,
      compared: primary.scenarios,
      from,
    }),
    failedObjects,
    absences: countAbsences(visits),
    noCapture: traffic.some((round) => round.users.length > 0) ? null : explainNoPackets(evaluation),
    users,
    ...(harm && { harm }),
    delays: compareDelays(traffic, visits, {
      ...design,
      links: new Map(evaluation.scenarios.map((scenario) => [scenario.name, describeUsedLink(scenario)])),
    }),
    bandwidth,
    ...(capturePoints.length > 0 && { capturePoints }),
    ...(overHttpep.length > 0 && {
      httpep: compareHttpep(arms.httpep, { ...design, scenarios: overHttpep, notComparable }),
    }),
    hostLoad,
    hostDelays,
  };
}

function leastMeanOf({ scenarios }: MetricComparison): number | null {
  const means = scenarios.flatMap(({ estimate }) => estimate?.mean ?? []);
  return means.length === 0 ? null : Math.min(...means);
}

/** How the Run went, for the small print of its report. */
function describeQuality({ rounds, visits }: RunRecord) {
  const completed = rounds.filter((round) => round.state === 'completed');
  const counted = completed.filter((round) => !round.warmUp);
  const ofPages = summarizeSkew(
    counted.map(({ pageSkewMs, pageSkewErrorMs }) => ({ skewMs: pageSkewMs, errorMs: pageSkewErrorMs })),
  );
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
    ...(ofPages && { pageSkew: ofPages }),
  };
}

/** Why an Evaluation has the packets of no User Agent captured, and what to do; null when it has those of one. */
function explainNoPackets(evaluation: Pick<Evaluation, 'capture' | 'userAgents'>): string | null {
  const { capture, userAgents } = evaluation;
  if (!capture.enabled) return 'The Evaluation says "capture: { enabled: false }". Remove that to capture packets';
  const reasons = userAgents.map((userAgent) => explainNoCapture(evaluation, userAgent));
  if (reasons.includes(null)) return null;
  if (userAgents.every(({ sourceAddress }) => sourceAddress === undefined)) {
    return 'No User Agent has an address of its own to identify its packets. Give each an "osUser" and a "sourceAddress", or write "capture: { isolate: true }" if the Agents are root on Linux';
  }
  return `${userAgents[0]!.name}: ${reasons[0]!}`;
}

/** Without what was measured of Rounds of which a person excluded every Visit. */
export function leaveOutExcluded(record: RunRecord): RunRecord {
  const { rounds, visits, starts, loads, traffic, points, httpep } = record;
  if (!visits.some(({ isExcluded }) => isExcluded)) return record;
  const ofRound = Map.groupBy(visits, keyOf);
  const isLeftOut = (item: { block: number; scenario: string }) =>
    ofRound.get(keyOf(item))?.every(({ isExcluded }) => isExcluded) ?? false;
  const ofOthers = <Item extends { block: number; scenario: string }>(items: readonly Item[]) =>
    items.filter((item) => !isLeftOut(item));
  return {
    ...record,
    // A broken attempt has no Visit that was left out: a person reads why its Round was repeated.
    rounds: rounds.filter((round) => round.state !== 'completed' || !isLeftOut(round)),
    starts: ofOthers(starts),
    loads: ofOthers(loads),
    traffic: ofOthers(traffic),
    points: ofOthers(points),
    httpep: ofOthers(httpep),
  };
}

function keyOf({ block, scenario }: { block: number; scenario: string }): string {
  return `${block} ${scenario}`;
}

/** Under which Scenarios HTTPEP reads what is encrypted: for a network between users and origins, such figures are out of reach. */
export function stateEndedTls(scenarios: readonly Pick<Scenario, 'name' | 'httpep'>[]): Remark[] {
  const ended = scenarios.filter(({ httpep }) => httpep?.tls === 'terminate').map(({ name }) => name);
  if (ended.length === 0) return [];
  return [
    {
      about: 'ended-tls',
      text: `Under ${listInWords(ended)}, HTTPEP ends TLS and reads all that is encrypted. Browsers trust its key in this measurement only. Without such trust, HTTPS passes HTTPEP untouched and gains less.`,
    },
  ];
}

/** Which Scenarios give their users images that have lost detail: lossy and lossless figures must not be mixed up. */
export function stateLossy(scenarios: readonly Pick<Scenario, 'name' | 'httpep'>[]): Remark[] {
  const lossy = scenarios.filter(({ httpep }) => httpep && httpep.images !== 'none').map(({ name }) => name);
  if (lossy.length === 0) return [];
  return [
    {
      about: 'lossy',
      text: `Under ${listInWords(lossy)}, HTTPEP recompresses images with a loss. A part of the difference is detail that users do not get.`,
    },
  ];
}

/** Flags the Scenarios whose hosts were not equally busy, or busy throughout. */
function flagBusyHosts(metrics: readonly MetricComparison[], hostLoad: HostLoadComparison): MetricComparison[] {
  return metrics.map((metric) => {
    const names = metric.scenarios.map(({ scenario }) => scenario);
    const busy = listBusyScenarios(hostLoad, names);
    return {
      ...metric,
      scenarios: metric.scenarios.map((scenario) => {
        const { distribution } = scenario;
        return distribution && busy.has(scenario.scenario)
          ? { ...scenario, distribution: { ...distribution, flags: [...distribution.flags, 'busy-host' as const] } }
          : scenario;
      }),
    };
  });
}

/** What the Evaluation set for every Scenario alike. */
export function listSharedSettings({
  scenarios,
  pageLoad,
}: Pick<Evaluation, 'scenarios' | 'pageLoad'>): SharedSetting[] {
  const [first, ...others] = scenarios.map(
    (scenario) => new Map(listSettings(scenario, pageLoad).map((setting) => [setting.name, setting])),
  );
  const unset = new Map(
    listSettings(ScenarioSchema.parse({ name: 'unset' }), pageLoad).map((setting) => [setting.name, setting]),
  );
  return [...first!.values()]
    .filter(
      (setting) =>
        !isSame(setting, unset.get(setting.name)) &&
        others.every((settings) => isSame(setting, settings.get(setting.name))),
    )
    .map(({ name, words, isScript = false }) => ({ setting: name, words: shorten(words), isScript }));
}
