import { showP } from '../comparison/findings/finding-words.ts';
import { changeAgainst, changeOf, rangeOf } from '../comparison/findings/reduction-words.ts';
import { toReduction } from '../comparison/latencies/compute-reduction.ts';
import { findChangePoints, leastCourse, type ChangePoint, type MeasuredValue } from '../statistics/change-points.ts';
import { deriveGenerator } from '../statistics/derive-generator.ts';
import type { ArrangedTrend, TrendPlace } from './arrange-trend.ts';

/** Of a trend in which nothing changed, all Scenarios together. */
const falseAlarms = 0.05;
/** More would take a browser too long: the less each may err, the more permutations it takes. */
const mostScenarios = 12;
/** The newest of them. */
const mostRuns = 200;
/** The same Runs give the same answer. */
const seed = 1;

/** Two Runs beside each other, between which the reduction changed. */
interface RunGap {
  before: TrendPlace;
  after: TrendPlace;
}

/** A change of the reduction of a Scenario from one level to another. */
export interface TrendChange {
  scenario: string;
  at: RunGap;
  /** The first and the last gap in which it may be, with 95 % confidence. */
  earliest: RunGap;
  latest: RunGap;
  /** The reductions before and after, each up to the next change. */
  before: number;
  after: number;
  /** How much less time the Scenario takes afterwards than before, each against its baseline, with its 95 % interval. */
  change: { ratio: number; low: number; high: number };
  /** Of the permutation test, not corrected. */
  p: number;
  /** The Runs on this level before, and after. */
  runs: { before: readonly TrendPlace[]; after: readonly TrendPlace[] };
}

/** The changes of all Scenarios, the oldest first, or why none is looked for. */
export type TrendChanges =
  | { kind: 'sought'; runs: number; changes: TrendChange[] }
  | { kind: 'too-few'; runs: number; needed: number }
  | { kind: 'too-many-scenarios'; most: number }
  | { kind: 'no-scenario' };

/** Looks for changes of the reduction in Runs by date, of the settings and definitions of the newest: others differ for a known reason. */
export function findTrendChanges({ places, scenarios }: Pick<ArrangedTrend, 'places' | 'scenarios'>): TrendChanges {
  const compared = scenarios.filter(({ baseline }) => !baseline).map(({ name }) => name);
  if (compared.length === 0) return { kind: 'no-scenario' };
  if (compared.length > mostScenarios) return { kind: 'too-many-scenarios', most: mostScenarios };
  const level = falseAlarms / compared.length;
  const courses = compared.map((scenario) => ({ scenario, course: listCourse(places, scenario) }));
  const runs = Math.max(...courses.map(({ course }) => course.length));
  const needed = leastCourse(level);
  if (runs < needed) return { kind: 'too-few', runs, needed };
  const changes = courses.flatMap(({ scenario, course }, index) => {
    const points = findChangePoints(course, { level, generator: deriveGenerator(seed, index) });
    return points.map((point, order) => describe(point, { scenario, course, points, order }));
  });
  return {
    kind: 'sought',
    runs,
    changes: changes.toSorted((one, other) => startOf(one).localeCompare(startOf(other))),
  };
}

const startOf = ({ at }: TrendChange) => at.after.startedAt;

interface CourseRun extends MeasuredValue {
  place: TrendPlace;
}

/** By their start, though the trend is drawn by a label. */
function listCourse(places: readonly TrendPlace[], scenario: string): CourseRun[] {
  return places
    .filter(({ hasNewestSettings, hasNewestDefinitions }) => hasNewestSettings && hasNewestDefinitions)
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
    .flatMap((place) => {
      const reduction = place.scenarios.get(scenario)?.reduction;
      const value = reduction ? Math.log1p(-reduction.ratio) : NaN;
      if (reduction?.standardError == null || !Number.isFinite(value)) return [];
      return [{ place, value, standardError: reduction.standardError }];
    })
    .slice(-mostRuns);
}

function describe(
  { at, earliest, latest, before, after, change, p }: ChangePoint,
  {
    scenario,
    course,
    points,
    order,
  }: { scenario: string; course: readonly CourseRun[]; points: readonly ChangePoint[]; order: number },
): TrendChange {
  const gap = (index: number): RunGap => ({ before: course[index - 1]!.place, after: course[index]!.place });
  const between = (from: number, to: number) => course.slice(from, to).map(({ place }) => place);
  return {
    scenario,
    at: gap(at),
    earliest: gap(earliest),
    latest: gap(latest),
    before: toReduction(before),
    after: toReduction(after),
    change: { ratio: toReduction(change.value), low: toReduction(change.high), high: toReduction(change.low) },
    p,
    runs: {
      before: between(points[order - 1]?.at ?? 0, at),
      after: between(at, points[order + 1]?.at ?? course.length),
    },
  };
}

/** What changed from Run to Run, in words; or that nothing did, or why that is not known. */
export function describeTrendChanges(found: TrendChanges): string[] {
  switch (found.kind) {
    case 'sought':
      return found.changes.length === 0
        ? [`No change of the reduction is shown in ${found.runs} Runs of the newest settings.`]
        : found.changes.map(describeTrendChange);
    case 'too-few':
      return [
        `A change can be shown from ${found.needed} Runs of the same settings on. There ${found.runs === 1 ? 'is' : 'are'} ${found.runs} with an interval.`,
      ];
    case 'too-many-scenarios':
      return [`No change is looked for in the trend of more than ${found.most} Scenarios.`];
    case 'no-scenario':
      return [];
  }
}

/** The change, its place and its size with their intervals, and how improbable it is. */
function describeTrendChange({ scenario, at, earliest, latest, before, after, change, p }: TrendChange): string {
  const place =
    earliest.after.runId === latest.after.runId
      ? 'no other place is likely'
      : `95 %: between Runs ${earliest.before.runId} and ${latest.after.runId}`;
  const engines =
    at.before.engines === at.after.engines
      ? ''
      : ` The engine changed, too: ${at.before.engines} to ${at.after.engines}.`;
  return `${scenario} takes ${changeAgainst(change.ratio, ` since Run ${at.after.runId}`)} before, against its baseline (95 % interval ${rangeOf(change)}). Before, it took ${changeAgainst(before)} its baseline; since then ${changeOf(after)}. The change is between Runs ${at.before.runId} and ${at.after.runId} (${place}), ${showP(p)}.${engines}`;
}
