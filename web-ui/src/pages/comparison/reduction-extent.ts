import type { ScenarioComparison } from '#core/comparison/comparison.ts';

export interface Extent {
  low: number;
  high: number;
}

/** The range of reductions that one axis must hold so that every interval and the zero line are on it. */
export function reductionExtent(scenarios: Pick<ScenarioComparison, 'reduction'>[]): Extent {
  const ends = scenarios.flatMap(({ reduction }) =>
    reduction ? [reduction.low ?? reduction.ratio, reduction.high ?? reduction.ratio] : [],
  );
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const margin = (high - low || 0.1) * 0.06;
  return { low: low - margin, high: high + margin };
}
