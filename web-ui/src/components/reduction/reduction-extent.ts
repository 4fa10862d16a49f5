import type { ScenarioComparison } from '#core/comparison/comparison.ts';

export interface Extent {
  low: number;
  high: number;
}

/** Reductions within which a Scenario is equivalent to the baseline. */
export type EquivalenceBand = Extent;

/** The range of reductions that one axis must hold so that every interval, the zero line and the band of equivalence are on it. */
export function reductionExtent(
  scenarios: Pick<ScenarioComparison, 'reduction'>[],
  band: EquivalenceBand | null = null,
): Extent {
  const ends = scenarios.flatMap(({ reduction }) =>
    reduction ? [reduction.low ?? reduction.ratio, reduction.high ?? reduction.ratio] : [],
  );
  const low = Math.min(0, band?.low ?? 0, ...ends);
  const high = Math.max(0, band?.high ?? 0, ...ends);
  const margin = (high - low || 0.1) * 0.06;
  return { low: low - margin, high: high + margin };
}

/** The band as declared: ratios between 1 − margin and 1 / (1 − margin). Null where nothing was compared. */
export function equivalenceBand(scenarios: Pick<ScenarioComparison, 'contrast'>[]): EquivalenceBand | null {
  const margin = scenarios.flatMap(({ contrast }) => contrast?.equivalence?.margin ?? [])[0];
  return margin === undefined ? null : { low: 1 - 1 / (1 - margin), high: margin };
}
