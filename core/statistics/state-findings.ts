import { catalogue } from '../metrics/catalogue.ts';
import type { BandwidthComparison, MetricComparison, ScenarioComparison } from './comparison.ts';
import { changeOf, intervalOf, percent, rangeOf, showP } from './finding-words.ts';

interface Findings {
  primary: MetricComparison;
  bandwidth: BandwidthComparison;
  baseline: string;
  confidence: number;
}

/** The findings in words: one for each Scenario other than the baseline, in their order. */
export function stateFindings({ primary, bandwidth, baseline, confidence }: Findings): string[] {
  const others = primary.scenarios.filter(({ isBaseline }) => !isBaseline);
  return others.map((scenario) => stateDifference(scenario, { primary, baseline, confidence }) + stateFairness(scenario.scenario, { bandwidth, baseline }));
}

function stateDifference({ scenario, reduction, contrast }: ScenarioComparison, context: { primary: MetricComparison; baseline: string; confidence: number }): string {
  const { primary, baseline, confidence } = context;
  const metric = catalogue[primary.metric].label.toLowerCase();
  if (!contrast) return `${scenario} cannot be compared with ${baseline}: no page has a ${metric} of both.`;
  if (!reduction || contrast.verdict === 'no-pairs') {
    return `No Block has a ${metric} of both ${scenario} and ${baseline}, so that drift of the conditions is in this: a Round of ${scenario} takes less time in ${percent(contrast.probabilityOfSuperiority)} % of all pairs (Mann–Whitney, ${showP(contrast.mannWhitney!.p)}).`;
  }
  const { ratio, low, high, blocks, p, adjustedP } = reduction;
  if (low === null || high === null || p === null) {
    return `${scenario} loads these pages ${changeOf(ratio)} than ${baseline} in the one Block that has both (${metric}); one Block gives no interval.`;
  }
  const isCorrected = adjustedP !== null && primary.familySize !== null && primary.familySize > 1;
  const significance = isCorrected ? `${showP(adjustedP)} corrected for ${primary.familySize} comparisons` : showP(adjustedP ?? p);
  const basis = `${metric}, ${blocks} Blocks`;
  const range = `${scenario} is between ${changeOf(low)} and ${changeOf(high)}`;
  switch (contrast.verdict) {
    case 'faster':
    case 'slower':
      return `${scenario} loads these pages ${changeOf(ratio)} than ${baseline} (${percent(confidence)} % interval ${rangeOf(low, high)}, ${significance}; ${basis}).`;
    case 'equivalent': {
      const { margin, low: least, high: most, p: ofEquivalence } = contrast.equivalence!;
      return `${scenario} and ${baseline} are equivalent within ${percent(margin)} %: ${scenario} is between ${changeOf(least)} and ${changeOf(most)} (${percent(2 * confidence - 1)} % interval, ${showP(ofEquivalence)}; ${basis}).`;
    }
    case 'not-after-correction':
      return `No difference between ${scenario} and ${baseline} was shown: ${range} (${percent(confidence)} % interval), but of ${primary.familySize} comparisons one such comes by chance too often (${significance}; ${basis}).`;
    default:
      return `Undecided: ${range} than ${baseline} (${percent(confidence)} % interval, ${significance}; ${basis}). Neither a difference nor that there is none above ${percent(contrast.equivalence!.margin)} % was shown; more Rounds narrow the interval.`;
  }
}

/** Said where the intervals of the two indices do not touch. */
function stateFairness(scenario: string, { bandwidth, baseline }: { bandwidth: BandwidthComparison; baseline: string }): string {
  if (bandwidth.kind === 'absent') return '';
  const fairnessOf = (name: string) => bandwidth.scenarios.find((each) => each.scenario === name)?.fairness ?? null;
  const [own, other] = [intervalOf(fairnessOf(scenario)), intervalOf(fairnessOf(baseline))];
  if (!own || !other || (own.low <= other.high && other.low <= own.high)) return '';
  return ` Fairness ${own.mean < other.mean ? 'fell' : 'rose'} from ${other.mean.toFixed(2)} to ${own.mean.toFixed(2)}.`;
}
