import { baselineOf } from '../compared-group.ts';
import type { Comparison, ScenarioComparison } from '../comparison.ts';
import { nameGroup, showMargin } from '../findings/finding-words.ts';
import { changeBetween, changeOf, rangeOf } from '../findings/reduction-words.ts';
import type { ComparedOutcome, RunOutcome } from './run-outcome.ts';

/** Raise it when the same Comparison gives another outcome than before: those that are stored are then made again. */
export const outcomeVersion = 6;

type Summarised = Pick<Comparison, 'primaryMetric' | 'confidence' | 'baseline' | 'groups' | 'metrics'>;
type Contrasted = ScenarioComparison & { contrast: NonNullable<ScenarioComparison['contrast']> };

/**
 * The finding of a Comparison that matters most, for lists: the largest difference that is shown; without one, that of the first Scenario which is shown to be equivalent, or else that of the first.
 */
export function summariseOutcome(comparison: Summarised): RunOutcome {
  const { scenarios } = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)!;
  const others = scenarios.filter(({ isBaseline }) => !isBaseline);
  const compared = others.filter((scenario): scenario is Contrasted => scenario.contrast !== null);
  const chosen = compared.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  if (!chosen)
    return {
      kind: 'none',
      text: others.length === 0 ? 'only one Scenario' : 'no page loaded under two Scenarios',
    };
  return { ...describe(chosen, comparison), otherScenarios: others.length - 1 };
}

/** A difference weighs the more the larger it is; equal weights keep the order of the Evaluation. */
function weightOf({ contrast, reduction }: Contrasted): number {
  if (contrast.verdict === 'faster' || contrast.verdict === 'slower')
    return 2 + Math.abs(Math.log(1 - reduction!.ratio));
  return contrast.verdict === 'equivalent' ? 1 : 0;
}

function describe(
  { scenario, reduction, contrast }: Contrasted,
  { primaryMetric, confidence, groups, ...compared }: Summarised,
): Omit<ComparedOutcome, 'otherScenarios'> {
  const { verdict, equivalence } = contrast;
  const isEquivalent = verdict === 'equivalent' && equivalence !== null;
  const { low, high } = isEquivalent ? equivalence : (reduction ?? { low: null, high: null });
  const outcome = {
    kind: 'compared' as const,
    metric: primaryMetric,
    scenario,
    baseline: baselineOf({ ...compared, groups }, scenario),
    verdict,
    ratio: reduction?.ratio ?? null,
    low,
    high,
    confidence: low === null || high === null ? null : isEquivalent ? 2 * confidence - 1 : confidence,
    margin: equivalence?.margin ?? null,
  };
  const isSmall = (verdict === 'faster' || verdict === 'slower') && equivalence?.isEquivalent === true;
  return {
    ...outcome,
    text: nameGroup(groups, scenario) + inWords(outcome) + (isSmall ? stateSmallness(equivalence.margin) : ''),
  };
}

/** Of a difference that is shown, and that is shown to be smaller than what was declared to matter. */
function stateSmallness(margin: number): string {
  return `, less than the ${showMargin(margin)} that matter`;
}

function inWords({
  scenario,
  verdict,
  ratio,
  low,
  high,
  margin,
}: Omit<ComparedOutcome, 'text' | 'otherScenarios'>): string {
  if (verdict === 'no-pairs') return `${scenario}: no Block has both Scenarios`;
  if (verdict === 'not-comparable') return `${scenario}: not comparable, objects are lost`;
  if (low === null || high === null) return `${scenario} takes ${changeOf(ratio!)} in one Block, no interval`;
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${scenario} takes ${changeOf(ratio!)} (${rangeOf({ ratio: ratio!, low, high })})`;
    case 'equivalent':
      return `${scenario}: no difference above ${showMargin(margin!)}`;
    case 'not-after-correction':
      return `${scenario}: undecided after correction, ${changeBetween(low, high)}`;
    default:
      return `${scenario}: undecided, ${changeBetween(low, high)}`;
  }
}
