import { z } from 'zod';
import { FailedObjectsRuleSchema, type FailedObjectsRule } from '../../evaluation/pages/page-load.ts';
import type { LatencyId } from '../../metrics/index.ts';
import { holmAdjust } from '../../statistics/holm-adjust.ts';
import { meanInterval, tTest } from '../../statistics/mean-interval.ts';
import type { CountedVisit } from '../cells/counted-visit.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';

/** What a Visit that lost objects failed by, where the Evaluation declares that it did. No Agent reports this code: only the comparison knows what other Visits of the page had. */
export const lostObjectsCode = 'objects-lost';

/** Of the Visits of a Scenario that loaded, without those that were excluded. */
const ScenarioFailedObjectsSchema = z.object({
  scenario: z.string(),
  /** Visits of which it is known how many objects failed, and those of which it is not. */
  visits: z.number().int(),
  unknownVisits: z.number().int(),
  /** Of all these Visits together. */
  failedObjects: z.number().int(),
  /** Of the failed objects, those above the fewest of any Visit of the page, and the Visits that lost any. */
  lostObjects: z.number().int(),
  lossyVisits: z.number().int(),
  /** Part of a Round's Visits that lost objects, Scenario − baseline, paired by Block (Student's t). Null for the baseline, and when no Block has both. */
  difference: z
    .object({
      blocks: z.number().int(),
      value: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      /** Null with fewer than 3 Blocks. */
      p: z.number().nullable(),
      /** Corrected over the Scenarios (Holm) and for a stop rule, to be held against α. */
      adjustedP: z.number().nullable(),
    })
    .nullable(),
});
export type ScenarioFailedObjects = z.infer<typeof ScenarioFailedObjectsSchema>;

export const FailedObjectsSchema = z.object({
  /** As the Evaluation declares. */
  rule: FailedObjectsRuleSchema,
  /** Of the Visits that count as failed by the rule `fail`; null by the others. */
  failureCode: z.literal(lostObjectsCode).nullable(),
  scenarios: z.array(ScenarioFailedObjectsSchema),
});
export type FailedObjects = z.infer<typeof FailedObjectsSchema>;

/** By Scenario, in how many more of a Round's Visits it loses objects than its baseline does, and how surely. */
export type UnequalLosses = ReadonlyMap<string, { value: number; adjustedP: number }>;

/** The Scenarios that lose objects in more or fewer of their Visits than their baseline, beyond chance at this confidence. */
export function findUnequalLosses({ scenarios }: FailedObjects, confidence: number): UnequalLosses {
  const found = new Map<string, { value: number; adjustedP: number }>();
  for (const { scenario, difference } of scenarios) {
    if (difference === null || difference.adjustedP === null || difference.adjustedP > 1 - confidence) continue;
    found.set(scenario, { value: difference.value, adjustedP: difference.adjustedP });
  }
  return found;
}

interface FailedObjectsDesign {
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  /** At which intervals are computed, and that which was declared. */
  confidence: number;
  declaredConfidence: number;
  rule: FailedObjectsRule;
}

type JudgedVisit = CountedVisit & { failedObjects: number | null };

/** Two Blocks that happen to be alike would have a p of 0. */
const fewestBlocks = 3;

/** The failed objects of each Scenario, of Visits that `judgeLostObjects` has judged. */
export function compareFailedObjects(
  visits: readonly JudgedVisit[],
  { scenarios: names, confidence, declaredConfidence, rule, ...compared }: FailedObjectsDesign,
): FailedObjects {
  const baselines = baselinesOf({ scenarios: names, ...compared });
  const byScenario = Map.groupBy(visits, ({ scenario }) => scenario);
  const parts = new Map(names.map((scenario) => [scenario, lossyParts(byScenario.get(scenario) ?? [])]));
  const scenarios = names.map((scenario) => ({
    scenario,
    ...countObjects(byScenario.get(scenario) ?? []),
    difference:
      scenario === baselines.get(scenario)
        ? null
        : compareParts(parts.get(scenario)!, { baseline: parts.get(baselines.get(scenario)!)!, confidence }),
  }));
  return {
    rule,
    failureCode: rule === 'fail' ? lostObjectsCode : null,
    scenarios: adjustDifferences(scenarios, (1 - declaredConfidence) / (1 - confidence)),
  };
}

/** Scenarios that cannot be compared with their baseline, as the verdict `not-comparable` has it; of Visits that nobody has judged. */
export function findIncomparable(visits: readonly LoadedVisit[], design: FailedObjectsDesign): ReadonlySet<string> {
  if (design.rule !== 'count') return new Set();
  const judged = judgeLostObjects(visits, design.rule);
  return new Set(findUnequalLosses(compareFailedObjects(judged, design), design.declaredConfidence).keys());
}

function countObjects(visits: readonly JudgedVisit[]): Omit<ScenarioFailedObjects, 'scenario' | 'difference'> {
  const counts = { visits: 0, unknownVisits: 0, failedObjects: 0, lostObjects: 0, lossyVisits: 0 };
  for (const visit of visits) {
    if (isKnown(visit)) {
      counts.visits++;
      counts.failedObjects += visit.failedObjects;
      counts.lostObjects += visit.lostObjects ?? 0;
      counts.lossyVisits += Number(visit.lostObjects !== undefined);
    } else if (!visit.isExcluded && !visit.isFailed) counts.unknownVisits++;
  }
  return counts;
}

/** By Block: which part of the Visits lost objects, of those of which it is known. */
function lossyParts(visits: readonly JudgedVisit[]): Map<number, number> {
  const rounds = new Map<number, { visits: number; lossy: number }>();
  for (const visit of visits) {
    if (!isKnown(visit)) continue;
    const round = rounds.get(visit.block) ?? { visits: 0, lossy: 0 };
    rounds.set(visit.block, round);
    round.visits++;
    round.lossy += Number(visit.lostObjects !== undefined);
  }
  return new Map([...rounds].map(([block, { visits: count, lossy }]) => [block, lossy / count]));
}

function compareParts(
  parts: Map<number, number>,
  { baseline, confidence }: { baseline: Map<number, number>; confidence: number },
): ScenarioFailedObjects['difference'] {
  const differences = [...parts].flatMap(([block, part]) => (baseline.has(block) ? [part - baseline.get(block)!] : []));
  if (differences.length === 0) return null;
  const { count, mean, halfWidth } = meanInterval(differences, confidence);
  return {
    blocks: count,
    value: mean,
    low: halfWidth === null ? null : mean - halfWidth,
    high: halfWidth === null ? null : mean + halfWidth,
    p: count < fewestBlocks ? null : tTest(differences),
    adjustedP: null,
  };
}

function adjustDifferences(scenarios: readonly ScenarioFailedObjects[], raise: number): ScenarioFailedObjects[] {
  const adjusted = holmAdjust(
    scenarios.flatMap(({ difference }) =>
      difference === null || difference.p === null ? [] : [Math.min(1, difference.p * raise)],
    ),
  ).values();
  return scenarios.map((scenario) => {
    const { difference } = scenario;
    return difference === null || difference.p === null
      ? scenario
      : { ...scenario, difference: { ...difference, adjustedP: adjusted.next().value! } };
  });
}

export interface LoadedVisit extends CountedVisit {
  /** Null where the Visit failed itself, and where it is not known. */
  failedObjects: number | null;
  /** Missing, as are their absences, where nothing needs them. */
  latencies?: Record<LatencyId, number | null>;
}

const noLatencies = { baseMs: null, viewportMs: null, totalMs: null };

/**
 * Finds the Visits that lost objects, and applies the rule that the Evaluation declares to them, in every Scenario alike. What a page always loses is the fewest
 * failed objects that any Visit of the same URL by the same User Agent had, over all Rounds and Scenarios: an address that never answers is in every Visit, and no
 * loss. All that are above it lost objects. A Visit that a person excluded neither counts nor is judged.
 */
export function judgeLostObjects<Visit extends LoadedVisit>(
  visits: readonly Visit[],
  rule: FailedObjectsRule,
): Visit[] {
  let always: Map<string, Map<string, number>> | null = null;
  return visits.map((visit) => {
    // Most Visits have no failed objects, and so lost none.
    if (!isKnown(visit) || visit.failedObjects === 0) return visit;
    always ??= findAlwaysFailed(visits);
    const lostObjects = visit.failedObjects - always.get(visit.userAgent)!.get(visit.url)!;
    if (lostObjects === 0) return visit;
    switch (rule) {
      case 'count':
        return { ...visit, lostObjects };
      case 'exclude':
        return { ...visit, lostObjects, isLeftOut: true, latencies: noLatencies, absences: null };
      case 'fail':
        return { ...visit, lostObjects, isFailed: true, latencies: noLatencies, absences: null };
    }
  });
}

function isKnown<Visit extends Pick<LoadedVisit, 'isExcluded' | 'failedObjects'>>(
  visit: Visit,
): visit is Visit & { failedObjects: number } {
  return !visit.isExcluded && visit.failedObjects !== null;
}

/** By User Agent and URL. */
function findAlwaysFailed(visits: readonly LoadedVisit[]): Map<string, Map<string, number>> {
  const always = new Map<string, Map<string, number>>();
  for (const visit of visits) {
    if (!isKnown(visit)) continue;
    const { userAgent, url, failedObjects } = visit;
    const byUrl = always.get(userAgent) ?? new Map<string, number>();
    always.set(userAgent, byUrl);
    byUrl.set(url, Math.min(failedObjects, byUrl.get(url) ?? Infinity));
  }
  return always;
}
