import { catalogue } from '../metrics/catalogue.ts';
import type { MetricComparison } from './comparison.ts';

/** The findings in words: one sentence for each Scenario other than the baseline. */
export function stateFindings(comparison: MetricComparison, options: { baseline: string; confidence: number }): string[] {
  const { baseline, confidence } = options;
  const metric = catalogue[comparison.metric].label.toLowerCase();
  return comparison.scenarios.flatMap(({ scenario, isBaseline, reduction }) => {
    if (isBaseline) return [];
    if (!reduction) return [`${scenario} cannot be compared with ${baseline}: no Block has a ${metric} of both.`];
    const { ratio, low, high, blocks } = reduction;
    if (low === null || high === null) {
      return [`${scenario} loads these pages ${changeOf(ratio)} than ${baseline} in the one Block that has both (${metric}); one Block gives no interval.`];
    }
    const basis = `${metric}, ${percent(confidence)} % interval, ${blocks} Blocks`;
    return low <= 0 && high >= 0
      ? [`No difference between ${scenario} and ${baseline} was shown: ${scenario} is between ${changeOf(low)} and ${changeOf(high)} (${basis}).`]
      : [`${scenario} loads these pages ${changeOf(ratio)} than ${baseline} (${rangeOf(low, high)}; ${basis}).`];
  });
}

function changeOf(reduction: number): string {
  return `${percent(Math.abs(reduction))} % ${reduction >= 0 ? 'faster' : 'slower'}`;
}

/** Both ends have the same sign here. */
function rangeOf(low: number, high: number): string {
  const [from, to] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
  return `${percent(from!)}–${percent(to!)} %`;
}

/** Two significant figures below 10 %, whole numbers above: more would promise what the interval does not hold. */
function percent(ratio: number): string {
  const value = ratio * 100;
  return value >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2);
}
