import type { LatencyId } from '../../metrics/index.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import type { Cell } from '../comparison.ts';
import { computeReduction, logRatiosByBlock, pairPages } from '../latencies/compute-reduction.ts';
import { describeCells, sumCounts } from './describe-cells.ts';
import type { CellData } from './gather-cells.ts';

export interface ListedCells {
  scenarios: string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  /** In the order of the Evaluation. */
  urls: { url: string; label: string; variables: Record<string, number> }[];
  confidence: number;
  metric: LatencyId;
  /** Whose cells they are; null pools them all, and compares each with that of its baseline. */
  userAgent: string | null;
  /** Whether each has its distribution function. */
  hasEcdf: boolean;
}

/** URL × Scenario, of what was measured. */
export function listCells(
  cells: readonly CellData[],
  { userAgent, hasEcdf, metric, confidence, ...design }: ListedCells,
): Cell[] {
  const baselines = baselinesOf(design);
  const byUrl = Map.groupBy(cells, ({ url }) => url);
  return design.urls.flatMap((page) => {
    const byArm = Map.groupBy(byUrl.get(page.url) ?? [], ({ scenario }) => scenario);
    return design.scenarios.flatMap((scenario): Cell[] => {
      const own = byArm.get(scenario) ?? [];
      if (own.length === 0) return [];
      const baseline = baselines.get(scenario)!;
      const isContrasted = userAgent === null && scenario !== baseline;
      return [
        {
          scenario,
          userAgent,
          ...page,
          ...describeCells(own, { counts: sumCounts(own), hasEcdf, metric, confidence }),
          reduction: isContrasted
            ? computeReduction(logRatiosByBlock(pairPages(own, byArm.get(baseline) ?? [])), confidence)
            : null,
        },
      ];
    });
  });
}
