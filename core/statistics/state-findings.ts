import type { Repetition } from '../evaluation/repetition.ts';
import { catalogue } from '../metrics/catalogue.ts';
import type { BandwidthComparison, Estimate, MetricComparison, ScenarioComparison } from './comparison.ts';
import { flags, type Flag } from './flag.ts';
import type { UserComparison } from './user-comparison.ts';

interface Findings {
  primary: MetricComparison;
  users: UserComparison;
  bandwidth: BandwidthComparison;
  baseline: string;
  confidence: number;
  order: Repetition['order'];
  unsettledVisits: number;
}

/**
 * The findings in words: one for each Scenario other than the baseline, in their order; then what the order of the Rounds does to them, which Visits did not settle, what was found of the User Agents of a Scenario, and the flags, so
 * that nobody reads a figure without what speaks against it.
 */
export function stateFindings({ primary, users, bandwidth, baseline, confidence, order, unsettledVisits }: Findings): string[] {
  const others = primary.scenarios.filter(({ isBaseline }) => !isBaseline);
  return [
    ...others.map((scenario) => stateDifference(scenario, { primary, baseline, confidence }) + stateFairness(scenario.scenario, { bandwidth, baseline })),
    ...(order === 'sequential' && others.length > 0 ? ['The Scenarios were measured one after the other: a drift of the conditions looks like a difference between them, and no interval allows for that.'] : []),
    ...stateUnsettled(unsettledVisits),
    ...stateStartOrder(users, confidence),
    ...stateFlags(primary),
  ];
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

function stateUnsettled(visits: number): string[] {
  if (visits === 0) return [];
  return [`${visits === 1 ? 'One Visit' : `${visits} Visits`} had not settled by the hard cap: what such a page loaded later is in no figure, and its total latency may be less than it takes.`];
}

/** Said where the intervals of the two indices do not touch. */
function stateFairness(scenario: string, { bandwidth, baseline }: { bandwidth: BandwidthComparison; baseline: string }): string {
  if (bandwidth.kind === 'absent') return '';
  const fairnessOf = (name: string) => bandwidth.scenarios.find((each) => each.scenario === name)?.fairness ?? null;
  const [own, other] = [intervalOf(fairnessOf(scenario)), intervalOf(fairnessOf(baseline))];
  if (!own || !other || (own.low <= other.high && other.low <= own.high)) return '';
  return ` Fairness ${own.mean < other.mean ? 'fell' : 'rose'} from ${other.mean.toFixed(2)} to ${own.mean.toFixed(2)}.`;
}

/** Said where the interval of whoever starts first does not contain 1. */
function stateStartOrder(users: UserComparison, confidence: number): string[] {
  if (users.kind === 'absent') return [];
  return users.scenarios.flatMap(({ scenario, byStartOrder }) => {
    const first = intervalOf(byStartOrder?.[0] ?? null);
    if (!first || (first.low <= 1 && first.high >= 1)) return [];
    const [ratio, low, high] = [1 - first.mean, 1 - first.high, 1 - first.low];
    return [`Under ${scenario}, the User Agent that starts first loads these pages ${changeOf(ratio)} than all of its Round together (${percent(confidence)} % interval ${rangeOf(low, high)}).`];
  });
}

function stateFlags({ scenarios }: MetricComparison): string[] {
  const flagged = new Map<Flag, string[]>();
  for (const { scenario, distribution } of scenarios) {
    for (const flag of distribution?.flags ?? []) flagged.set(flag, [...(flagged.get(flag) ?? []), scenario]);
  }
  return [...flagged].map(([flag, names]) => `Flag “${flags[flag].label}” (${names.join(', ')}): ${flags[flag].explanation}`);
}

function intervalOf(estimate: Estimate | null): { mean: number; low: number; high: number } | null {
  if (estimate === null || estimate.halfWidth === null) return null;
  const { mean, halfWidth } = estimate;
  return { mean, low: mean - halfWidth, high: mean + halfWidth };
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

function showP(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  return p >= 0.995 ? 'p = 1' : `p = ${p.toPrecision(2)}`;
}
