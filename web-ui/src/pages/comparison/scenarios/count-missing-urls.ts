import type { MetricComparison } from '#core/comparison/comparison.ts';

/** URLs for which a Scenario has no value of the metric from any User Agent; the means of all Scenarios leave them out. */
export function countMissingUrls(metric: MetricComparison, scenario: string): { missing: number; all: number } {
  const pooled = metric.cells.filter((cell) => cell.userAgent === null);
  const all = new Set(pooled.map((cell) => cell.url));
  const measured = pooled.filter((cell) => cell.scenario === scenario && cell.estimate !== null);
  return { missing: all.size - measured.length, all: all.size };
}
