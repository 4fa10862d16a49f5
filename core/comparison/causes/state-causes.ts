import { causes } from '../../causes/causes.ts';
import { catalogue, type LatencyId } from '../../metrics/index.ts';
import type { ComparedGroup } from '../compared-group.ts';
import { nameGroup } from '../findings/finding-words.ts';
import type { CausesDifference, ScenarioCauses } from './causes-comparison.ts';

/** Of the whole difference; a smaller part is not named. */
const leastShare = 0.1;

/** Why each Scenario differs from its baseline, in one sentence: the parts that are shown and are a tenth of the difference or more, the largest first. */
export function stateCauses(
  scenarios: readonly ScenarioCauses[],
  { metric, groups }: { metric: LatencyId; groups?: readonly ComparedGroup[] | undefined },
): string[] {
  return scenarios.flatMap(({ scenario, difference }) =>
    difference ? [`${nameGroup(groups, scenario)}${stateDifference(scenario, difference, metric)}`] : [],
  );
}

function stateDifference(scenario: string, { blocks, total, parts }: CausesDifference, metric: LatencyId): string {
  const name = catalogue[metric].label.toLowerCase();
  if (total.low === null || total.high === null)
    return `With ${scenario}, the mean ${name} differs by ${signed(total.value, total.value)} in ${blocks} Block: one Block has no interval, and so no causes are named.`;
  const unit = Math.max(Math.abs(total.low), Math.abs(total.high));
  const range = `${show(total.low, unit)} to ${show(total.high, unit)}`;
  if (total.low <= 0 && total.high >= 0)
    return `With ${scenario}, the mean ${name} is not shown to differ: ${signed(total.value, unit)} (${range}).${explainInside(parts, total.value)}`;
  const [low, high] = [Math.abs(total.low), Math.abs(total.high)].sort((a, b) => a - b) as [number, number];
  const change = `${show(Math.abs(total.value), unit)} ${total.value < 0 ? 'less' : 'more'} (${show(low, unit)} to ${show(high, unit)})`;
  const named = listParts(parts, total.value);
  return `With ${scenario}, these pages take ${change}${named === '' ? '; no single cause is shown to be a tenth of that.' : `: ${named}.`}`;
}

/** What is won in one place and lost in another. */
function explainInside(parts: CausesDifference['parts'], total: number): string {
  const named = listParts(parts, total);
  return named === '' ? '' : ` Its causes do: ${named}.`;
}

function listParts(parts: CausesDifference['parts'], total: number): string {
  return parts
    .filter(({ value, isShown }) => isShown && Math.abs(value) >= leastShare * Math.abs(total))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .map(({ cause, value }) => `${signed(value, Math.max(Math.abs(value), Math.abs(total)))} ${causes[cause].doing}`)
    .join(', ');
}

function signed(ms: number, unit: number): string {
  return `${ms < 0 ? '−' : '+'}${show(Math.abs(ms), unit)}`;
}

/** In seconds where the largest is one, else in milliseconds. */
function show(ms: number, largest: number): string {
  const sign = ms < 0 ? '−' : '';
  return Math.abs(largest) >= 1000
    ? `${sign}${(Math.abs(ms) / 1000).toFixed(2)} s`
    : `${sign}${Math.abs(ms).toFixed(Math.abs(largest) < 10 ? 1 : 0)} ms`;
}
