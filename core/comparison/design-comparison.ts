import { urlsOf } from '../evaluation/rounds/expand-evaluation.ts';
import type { AddedRounds } from '../evaluation/rounds/repetition.ts';
import { takesPart } from '../evaluation/scenarios/solo-scenarios.ts';
import { type LatencyOrigin, countFromRequest } from '../metrics/latency-origin.ts';
import type { RecordedVisit, RunRecord } from '../record/run-record.ts';
import { intervalConfidence } from '../stop-rule/level-of-look.ts';
import { describeGroups } from './compared-group.ts';
import { latencyIds } from '../metrics/index.ts';
import { judgeLostObjects } from './failed-objects/failed-objects.ts';

/** What of a Run's record decides how it is compared. */
export type ComparedRecord = Pick<RunRecord, 'seed' | 'evaluation' | 'added' | 'rounds' | 'visits'>;

/** What is compared in a Run, and at which confidence. */
export function designComparison({ evaluation, added, rounds, seed }: Omit<ComparedRecord, 'visits'>) {
  const { confidence, equivalenceMargin, family } = evaluation.comparison;
  const { baseline, groups } = describeGroups(evaluation.scenarios);
  const lists = new Set(evaluation.userAgents.map(({ urlList }) => urlList));
  const pages = new Map([...lists].flatMap((list) => urlsOf(evaluation, list)).map((page) => [page.url, page]));
  const looks = listLooks(
    added,
    rounds.flatMap(({ block, warmUp, state }) => (state === 'completed' && !warmUp ? block : [])),
  );
  const userAgents = evaluation.userAgents.map(({ name }) => name);
  return {
    scenarios: evaluation.scenarios.map(({ name }) => name),
    baseline,
    groups,
    userAgents,
    usersOf: new Map(
      evaluation.scenarios.map((scenario) => [
        scenario.name,
        userAgents.filter((userAgent) => takesPart(scenario, userAgent)),
      ]),
    ),
    urls: [...pages.values()],
    confidence: intervalConfidence(evaluation.repetition, confidence, looks),
    declaredConfidence: confidence,
    equivalenceMargin,
    family: [evaluation.primaryMetric, ...family],
    seed,
    looks,
  };
}

/** The Visits with latencies that count from there, by the rule that the Evaluation declares for those that lost objects. */
export function judgeVisits({ evaluation, visits }: ComparedRecord, from: LatencyOrigin): RecordedVisit[] {
  const measured = from === 'first-request' ? countVisitsFromRequest(visits) : visits;
  return judgeLostObjects(measured, evaluation.pageLoad.failedObjects);
}

/** The Visits with their latencies counted from their first request. */
export function countVisitsFromRequest(visits: readonly RecordedVisit[]): RecordedVisit[] {
  return visits.map((visit) => {
    if (visit.isFailed) return visit;
    const { requestStart = { reason: 'unsupported' } } = visit;
    const counted = latencyIds.map((metric) => {
      const value = visit.latencies[metric];
      const reason = visit.absences?.[metric] ?? 'unsupported';
      return [metric, countFromRequest(value === null ? { reason } : { value }, requestStart)] as const;
    });
    const absences = counted.flatMap(([metric, each]) => ('reason' in each ? [[metric, each.reason] as const] : []));
    return {
      ...visit,
      latencies: Object.fromEntries(
        counted.map(([metric, each]) => [metric, 'value' in each ? each.value : null]),
      ) as RecordedVisit['latencies'],
      absences: absences.length === 0 ? null : Object.fromEntries(absences),
    };
  });
}

/**
 * How many Blocks a Run had each time that its result could be seen: before Rounds were added, each time, and now. `counted`: the Blocks that have a Round that counts, in any order, more than once
 * or not. Added Rounds of which none was measured were no look.
 */
export function listLooks(added: readonly Pick<AddedRounds, 'firstBlock'>[], counted: readonly number[]): number[] {
  if (added.length === 0) return [];
  const blocks = [...new Set(counted)];
  const seen = added.map(({ firstBlock }) => blocks.filter((block) => block < firstBlock).length);
  return [...seen, blocks.length].filter((count, index, looks) => count > (looks[index - 1] ?? 0));
}
