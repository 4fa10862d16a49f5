import { latencyIds, type LatencyId } from '../../metrics/catalogue.ts';
import { compareMetric, type ComparedDesign } from './compare-metric.ts';
import type { MetricComparison } from '../comparison.ts';
import type { CountedVisit } from '../cells/counted-visit.ts';
import { gatherCells } from '../cells/gather-cells.ts';
import { judgeFamily } from './judge-family.ts';

/** A Visit with its three latencies; null where absent. */
export interface VisitLatencies extends CountedVisit {
  latencies: Record<LatencyId, number | null>;
}

/** Every Scenario against the baseline in every latency, with what the declared family of metrics allows to conclude. */
export function compareLatencies(
  visits: readonly VisitLatencies[],
  design: ComparedDesign & {
    family: readonly LatencyId[];
    declaredConfidence: number;
    notComparable?: ReadonlySet<string>;
  },
): MetricComparison[] {
  const comparisons = latencyIds.map((metric) =>
    compareMetric(
      metric,
      gatherCells(visits, ({ latencies }) => latencies[metric]),
      design,
    ),
  );
  return judgeFamily(comparisons, {
    metrics: design.family,
    confidence: design.declaredConfidence,
    intervalConfidence: design.confidence,
    notComparable: design.notComparable ?? new Set(),
  });
}
