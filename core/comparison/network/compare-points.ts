import type { PointTraffic } from '../../record/point-traffic.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import { findAbsence, listCounts } from '../counted/counted-rounds.ts';
import { estimateCounted } from '../counted/counted-value.ts';
import {
  pointFigureIds,
  listCaptured,
  readPointValues,
  type PointComparison,
  type ScenarioAtPoint,
} from './point-comparison.ts';

interface Design {
  points: readonly string[];
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
}

/** What crossed each Capture Point in each Scenario. `traffic` has every Capture Point of each counted Round of a Run, captured or not. */
export function comparePoints(traffic: readonly PointTraffic[], design: Design): PointComparison[] {
  const baselines = baselinesOf(design);
  const byPoint = Map.groupBy(traffic, ({ point }) => point);
  return design.points.map((point) => {
    const byScenario = Map.groupBy(byPoint.get(point) ?? [], ({ scenario }) => scenario);
    return {
      point,
      scenarios: design.scenarios.map((scenario) => {
        const baseline = baselines.get(scenario)!;
        return summarize(scenario, {
          own: byScenario.get(scenario) ?? [],
          baseline: baseline === scenario ? null : (byScenario.get(baseline) ?? []),
          confidence: design.confidence,
        });
      }),
    };
  });
}

interface Compared {
  own: readonly PointTraffic[];
  /** Null of a baseline. */
  baseline: readonly PointTraffic[] | null;
  confidence: number;
}

function summarize(scenario: string, { own, baseline, confidence }: Compared): ScenarioAtPoint {
  const rounds = listCaptured(own);
  const counted = listCounts(rounds).map(({ counts }) => counts);
  const figures = pointFigureIds.map((figure) => {
    const against = baseline && readPointValues(baseline, figure);
    return [figure, estimateCounted(readPointValues(own, figure), { against, confidence })] as const;
  });
  return {
    scenario,
    roundsCounted: counted.length,
    roundsLeftOut: own.length - counted.length,
    leftOutReason: findAbsence(rounds),
    roundsWithDrops: counted.filter(({ hasDrops }) => hasDrops).length,
    roundsWithEncryption: counted.filter(({ hasEncryption }) => hasEncryption).length,
    figures: Object.fromEntries(figures) as ScenarioAtPoint['figures'],
  };
}
