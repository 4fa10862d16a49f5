import { averagePages } from '../../../core/comparison/latencies/compute-reduction.ts';
import {
  estimateCounted,
  type CountedValue,
  type ValuesByBlock,
} from '../../../core/comparison/counted/counted-value.ts';
import type { MeasureId } from '../../../core/metrics/measures.ts';
import { type FigureCell, gatherMeasurements, keepCommonPages } from './gather-measurements.ts';
import type { Measurements } from '../../../core/record/measurements.ts';

/** A Scenario in several measures. */
export interface ComparedScenario<Id extends MeasureId> {
  scenario: string;
  values: Record<Id, CountedValue>;
}

/**
 * Every Scenario in each measure by itself, against the baseline of its group: means of the pages that all Scenarios have a value of. One that loses objects in other parts of its Visits has
 * no change: its pages lack what takes time.
 */
export function compareMeasures<Id extends MeasureId>(
  measurements: Measurements,
  measures: readonly Id[],
): ComparedScenario<Id>[] {
  const { design } = measurements;
  const blocks = [...new Set(measurements.visits.block)].sort((a, b) => a - b);
  const byMeasure = measures.map((measure) => {
    const cells = keepCommonPages(gatherMeasurements(measurements, measure), []);
    return [measure, Map.groupBy(cells, ({ scenario }) => scenario.name)] as const;
  });
  return design.scenarios.map(({ name, isBaseline, group, isComparable = true }) => {
    const baseline = design.scenarios.find((other) => other.isBaseline && other.group === group);
    const values = byMeasure.map(([measure, cells]) => {
      const valuesOf = (scenario: string) => averageByBlock(cells.get(scenario) ?? [], blocks);
      const against = isBaseline || !baseline || !isComparable ? null : valuesOf(baseline.name);
      return [measure, estimateCounted(valuesOf(name), { against, confidence: design.intervalConfidence })] as const;
    });
    return { scenario: name, values: Object.fromEntries(values) as ComparedScenario<Id>['values'] };
  });
}

function averageByBlock(cells: readonly FigureCell[], blocks: readonly number[]): ValuesByBlock {
  const averages = averagePages(cells.map(({ byBlock }) => byBlock));
  const byBlock = new Map(
    [...averages].flatMap((value, index) => (Number.isNaN(value) ? [] : [[blocks[index]!, value] as const])),
  );
  return byBlock.size === 0
    ? { kind: 'absent', reason: 'No page has a value in every Scenario.' }
    : { kind: 'known', byBlock };
}
