import type { Comparison, MetricComparison } from '#core/statistics/comparison.ts';
import { explainAbsence } from './explain-absence.ts';

/** Why a Scenario has no reduction of a metric against the baseline; null where it has one. */
export function explainNoReduction({ scenarios, metric }: MetricComparison, { scenario, absences }: { scenario: string; absences: Comparison['absences'] }): string | null {
  const own = scenarios.find((each) => each.scenario === scenario);
  if (!own) return 'No Visit was made.';
  if (own.reduction) return null;
  const baseline = scenarios.find(({ isBaseline }) => isBaseline);
  const missing = [own, ...(baseline ? [baseline] : [])].find(({ blocks }) => blocks.length === 0);
  if (!missing) return 'No Block has a value of both.';
  const reason = explainAbsence(missing, absences.filter((each) => each.metric === metric && each.scenario === missing.scenario));
  return missing === own ? reason : `${missing.scenario}: ${reason}`;
}
