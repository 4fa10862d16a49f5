import { nameLatency, type LatencyOrigin } from '../../metrics/latency-origin.ts';
import type { BandwidthComparison, MetricComparison, ScenarioComparison, ScenarioBandwidth } from '../comparison.ts';
import { baselineOf, type ComparedGroup } from '../compared-group.ts';
import type { Estimate } from '../estimate.ts';
import type { UnequalLosses } from '../failed-objects/failed-objects.ts';
import type { Contrast, Reversal } from '../latencies/contrast.ts';
import { intervalOf, nameGroup, percent, showConfidence, showMargin, showP } from './finding-words.ts';
import { changeAgainst, changeBetween, changeOf, rangeOf } from './reduction-words.ts';

interface Findings {
  primary: MetricComparison;
  bandwidth: BandwidthComparison;
  /** Of the Scenarios that cannot be compared for them. */
  losses?: UnequalLosses;
  baseline: string;
  /** None, or one for each group of the Evaluation, whose baseline then counts. */
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
  /** From when latencies count. */
  from?: LatencyOrigin | undefined;
}

/** The findings in words: one for each Scenario other than a baseline, in their order. Each names its group, where there are groups. */
export function stateFindings({ primary, bandwidth, losses, confidence, from, ...compared }: Findings): string[] {
  const others = primary.scenarios.filter(({ isBaseline }) => !isBaseline);
  return others.map((scenario) => {
    const baseline = baselineOf(compared, scenario.scenario);
    const loss = losses?.get(scenario.scenario);
    if (scenario.contrast?.verdict === 'not-comparable' && loss)
      return nameGroup(compared.groups, scenario.scenario) + stateLoss(loss, { scenario: scenario.scenario, baseline });
    return (
      nameGroup(compared.groups, scenario.scenario) +
      stateDifference(scenario, { primary, baseline, confidence, from }) +
      stateReversal(scenario.reversal) +
      stateFairness(scenario.scenario, { bandwidth, baseline })
    );
  });
}

/** Broken is not fast: no number is given. */
function stateLoss(
  { value, adjustedP }: { value: number; adjustedP: number },
  { scenario, baseline }: { scenario: string; baseline: string },
): string {
  const [more, fewer] = value > 0 ? [scenario, baseline] : [baseline, scenario];
  return `${scenario} cannot be compared with ${baseline}: Visits under ${more} lose objects more often than under ${fewer}, by ${percent(Math.abs(value))} percentage points (${showP(adjustedP)}). Pages that lack objects look faster. Find out why the objects fail, or leave such Visits out (pageLoad.failedObjects: exclude).`;
}

function stateDifference(
  { scenario, reduction, contrast }: ScenarioComparison,
  context: { primary: MetricComparison; baseline: string; confidence: number; from: LatencyOrigin | undefined },
): string {
  const { primary, baseline, confidence, from } = context;
  const metric = nameLatency(primary.metric, from).toLowerCase();
  if (!contrast) return `${scenario} cannot be compared with ${baseline}: no page has a ${metric} under both.`;
  if (!reduction || contrast.verdict === 'no-pairs') {
    return `No Block has a ${metric} under both ${scenario} and ${baseline}, so drift of the conditions affects this result. A Round of ${scenario} takes less time in ${percent(contrast.probabilityOfSuperiority)} % of all pairs (Mann–Whitney, ${showP(contrast.mannWhitney!.p)}).`;
  }
  const { ratio, low, high, blocks, p, adjustedP } = reduction;
  if (low === null || high === null || p === null) {
    return `With ${scenario}, these pages take ${changeAgainst(ratio, ' to load')} with ${baseline} in the one Block that has both (${metric}). One Block gives no interval.`;
  }
  const isCorrected = adjustedP !== null && primary.familySize !== null && primary.familySize > 1;
  const significance = isCorrected
    ? `${showP(adjustedP)} corrected for ${primary.familySize} comparisons`
    : showP(adjustedP ?? p);
  const basis = `${metric}, ${blocks} Blocks`;
  const range = `${scenario} takes ${changeBetween(low, high)}`;
  switch (contrast.verdict) {
    case 'faster':
    case 'slower':
      return `With ${scenario}, these pages take ${changeAgainst(ratio, ' to load')} with ${baseline} (${showConfidence(confidence)} interval ${rangeOf({ ratio, low, high })}, ${significance}; ${basis}).${stateSize(contrast)}`;
    case 'equivalent': {
      const { margin, low: least, high: most, p: ofEquivalence } = contrast.equivalence!;
      return `${scenario} and ${baseline} are equivalent within ${showMargin(margin)}: ${scenario} takes ${changeBetween(least, most)} (${showConfidence(2 * confidence - 1)} interval, ${showP(ofEquivalence)}; ${basis}).`;
    }
    case 'not-after-correction':
      return `No difference between ${scenario} and ${baseline} was shown: ${range} (${showConfidence(confidence)} interval). Among ${primary.familySize} comparisons, chance gives such a result too often (${significance}; ${basis}).`;
    default:
      return `Undecided: no difference is shown yet, nor equivalence within ${showMargin(contrast.equivalence!.margin)}. ${range}, compared with ${baseline} (${showConfidence(confidence)} interval, ${significance}; ${basis}). More Rounds narrow the interval.`;
  }
}

/** For a difference that is shown, and that is shown to be smaller than the declared margin. */
function stateSize({ equivalence }: Contrast): string {
  return equivalence?.isEquivalent === true
    ? ` The difference is real, but smaller than the ${showMargin(equivalence.margin)} declared to matter.`
    : '';
}

/** For Scenarios in which some pages are faster and others slower. The mean over the pages hides that. */
function stateReversal(reversal: Reversal | null): string {
  if (reversal === null) return '';
  const { pages, faster, slower, comparisons, fastest, slowest } = reversal;
  const show = ({ label, reduction: { ratio, low, high } }: Reversal['fastest']) =>
    `${changeOf(ratio)} (${rangeOf({ ratio, low: low!, high: high! })}) on ${label}`;
  const unclear = pages - faster - slower;
  const counts = [`${slower} slower`, `${faster} faster`, ...(unclear > 0 ? [`${unclear} unclear`] : [])].join(', ');
  return ` It depends on the page: from ${show(slowest)} to ${show(fastest)}. Of ${pages} pages: ${counts} (p corrected for ${comparisons} comparisons).`;
}

/** A smaller difference of two indices does not matter in practice, and may not show in two decimals. */
const leastFairnessDifference = 0.01;

/** For two indices whose intervals do not touch. */
function stateFairness(
  scenario: string,
  { bandwidth, baseline }: { bandwidth: BandwidthComparison; baseline: string },
): string {
  if (bandwidth.kind === 'absent') return '';
  const fairnessOf = (name: string) => bandwidth.scenarios.find((each) => each.scenario === name)?.fairness ?? null;
  const [own, other] = [intervalOf(fairnessOf(scenario)), intervalOf(fairnessOf(baseline))];
  if (!own || !other || (own.low <= other.high && other.low <= own.high)) return '';
  if (Math.abs(own.mean - other.mean) < leastFairnessDifference) return '';
  return ` Fairness ${own.mean < other.mean ? 'fell' : 'rose'} from ${other.mean.toFixed(2)} to ${own.mean.toFixed(2)}.`;
}

/** Of an even share: what is within this is even. */
const tolerance = 0.05;

/** That every User Agent had an even share of the bytes in every Scenario, where the interval of each share lies within 5 % of it. Null where a figure has more to show. */
export function stateEvenShares(scenarios: readonly ScenarioBandwidth[]): string | null {
  const shares = scenarios.flatMap((scenario) => scenario.shares);
  const users = new Set(shares.map(({ userAgent }) => userAgent)).size;
  if (users < 2 || scenarios.some((scenario) => scenario.shares.length !== users)) return null;
  const even = 1 / users;
  const isEven = shares.every(({ estimate }) =>
    liesWithin(estimate, { low: even * (1 - tolerance), high: even * (1 + tolerance) }),
  );
  if (!isEven) return null;
  const where = scenarios.length === 1 ? '' : 'in every Scenario ';
  return `Each User Agent received an even share of the bytes ${where}(${showMargin(even)}): all intervals lie within 5 % of it.`;
}

/** Whether the whole interval lies between two values. Without an interval it is not known to. */
export function liesWithin({ mean, halfWidth }: Estimate, { low, high }: { low: number; high: number }): boolean {
  return halfWidth !== null && mean - halfWidth >= low && mean + halfWidth <= high;
}

export function includes({ mean, halfWidth }: Estimate, value: number): boolean {
  return halfWidth !== null && Math.abs(mean - value) <= halfWidth;
}
