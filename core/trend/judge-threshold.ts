import type { RunTrend, ScenarioTrend } from '../comparison/outcome/summarise-trend.ts';
import type { ArrangedTrend, TrendPlace } from './arrange-trend.ts';
import { showMargin } from '../comparison/findings/finding-words.ts';

/** Decided only where the whole interval of a reduction is on one side. */
export type ThresholdSide = 'above' | 'below' | 'undecided';

/** Below if a Scenario is, above if all are. One without a reduction may be anywhere. */
export function judgeThreshold({ scenarios }: Pick<RunTrend, 'scenarios'>, threshold: number): ThresholdSide {
  const sides = scenarios
    .filter(({ isBaseline }) => !isBaseline)
    .map(({ reduction }): ThresholdSide => (reduction ? sideOf(reduction, threshold) : 'undecided'));
  if (sides.includes('below')) return 'below';
  return sides.length > 0 && sides.every((side) => side === 'above') ? 'above' : 'undecided';
}

export function sideOf(
  { low, high }: Pick<NonNullable<ScenarioTrend['reduction']>, 'low' | 'high'>,
  threshold: number,
): ThresholdSide {
  if (low === null || high === null) return 'undecided';
  if (high < threshold) return 'below';
  return low >= threshold ? 'above' : 'undecided';
}

/** On which side the newest Run is, and how many are below. Nothing without a threshold. */
export function describeThreshold({ places }: Pick<ArrangedTrend, 'places'>, threshold: number | null): string[] {
  if (threshold === null) return [];
  const judged = places
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
    .map((place) => ({ place, side: judgeThreshold({ scenarios: [...place.scenarios.values()] }, threshold) }));
  const below = judged.filter(({ side }) => side === 'below');
  const newest = judged.at(-1);
  const margin = threshold < 0 ? `−${showMargin(-threshold)}` : showMargin(threshold);
  return [
    `The threshold is a reduction of ${margin}. ${newest ? stateSide(newest, threshold) : ''}`.trim(),
    ...(below.length > 0
      ? [`Of ${places.length} Runs, ${below.length} ${below.length === 1 ? 'is' : 'are'} below it.`]
      : []),
  ];
}

function stateSide({ place, side }: { place: TrendPlace; side: ThresholdSide }, threshold: number): string {
  const run = `Run ${place.runId}, the newest,`;
  if (side === 'above') return `${run} is above it.`;
  if (side === 'undecided') return `${run} is not decided: its interval has the threshold in it, or is missing.`;
  const scenarios = [...place.scenarios.values()].filter(
    ({ reduction }) => reduction && sideOf(reduction, threshold) === 'below',
  );
  return `${run} is below it: ${scenarios.map(({ scenario }) => scenario).join(', ')}.`;
}
