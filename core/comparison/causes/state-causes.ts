import { causes } from '../../causes/causes.ts';
import { catalogue, type LatencyId } from '../../metrics/index.ts';
import type { ComparedGroup } from '../compared-group.ts';
import type { LatencyOrigin } from '../../metrics/latency-origin.ts';
import { readsAsZero } from '../../statistics/reads-as-zero.ts';
import { nameGroup } from '../findings/finding-words.ts';
import type { Verdict } from '../latencies/contrast.ts';
import type { CausesDifference, ScenarioCauses } from './causes-comparison.ts';

/** Of the whole difference; a smaller part is not named. */
const leastShare = 0.1;
/** Decimals of the shortest times. */
const tenths = 1;

/** A Scenario with what is found of its reduction, after all corrections; null of a baseline. */
export interface Verdicted {
  scenario: string;
  contrast: { verdict: Verdict } | null;
}

interface Stated {
  metric: LatencyId;
  groups?: readonly ComparedGroup[] | undefined;
  compared: readonly Verdicted[];
  /** From when the latencies of the reductions count. */
  from?: LatencyOrigin | undefined;
}

/** Why each Scenario differs from its baseline, in one sentence: the parts that are shown and are a tenth of the difference or more, the largest first. */
export function stateCauses(scenarios: readonly ScenarioCauses[], stated: Stated): string[] {
  return scenarios.flatMap(({ scenario, difference }) =>
    difference ? [`${nameGroup(stated.groups, scenario)}${stateDifference(scenario, difference, stated)}`] : [],
  );
}

function stateDifference(
  scenario: string,
  { blocks, total, parts }: CausesDifference,
  { metric, compared, from }: Stated,
): string {
  const label = catalogue[metric].label.toLowerCase();
  const name = from === 'first-request' ? `${label} from navigation start` : label;
  if (total.low === null || total.high === null)
    return `With ${scenario}, the mean ${name} differs by ${signed(total.value, total.value)} in ${blocks} Block: one Block has no interval, and so no causes are named.`;
  const unit = Math.max(Math.abs(total.low), Math.abs(total.high));
  const range = `${show(total.low, unit)} to ${show(total.high, unit)}`;
  if (total.low <= 0 && total.high >= 0)
    return `With ${scenario}, the mean ${name} is not shown to differ: ${signed(total.value, unit)} (${range}).${explainInside(parts, total.value)}`;
  const [low, high] = [Math.abs(total.low), Math.abs(total.high)].sort((a, b) => a - b) as [number, number];
  const change = `${show(Math.abs(total.value), unit)} ${total.value < 0 ? 'less' : 'more'} (${show(low, unit)} to ${show(high, unit)})`;
  const verdict = compared.find((each) => each.scenario === scenario)?.contrast?.verdict;
  const doubt = verdict === (total.value < 0 ? 'faster' : 'slower') ? '' : `, though ${contradict(verdict, from)}`;
  const subject = doubt === '' && from !== 'first-request' ? 'these pages take' : `the mean ${name} is`;
  const named = listParts(parts, total.value);
  return `With ${scenario}, ${subject} ${change}${doubt}${named === '' ? '; no single cause is shown to be a tenth of that.' : `: ${named}.`}`;
}

/** What the reduction shows in place of that: it weighs pages by their ratios, and is corrected for the number of comparisons. */
function contradict(verdict: Verdict | undefined, from: LatencyOrigin | undefined): string {
  const reduction = `the reduction${from === 'first-request' ? ' from the first request' : ''}`;
  if (verdict === 'faster' || verdict === 'slower')
    return `these pages take ${verdict === 'faster' ? 'less' : 'more'} time by ${reduction}`;
  return `${reduction} shows no difference`;
}

/** What is won in one place and lost in another. */
function explainInside(parts: CausesDifference['parts'], total: number): string {
  const named = listParts(parts, total);
  return named === '' ? '' : ` Its causes do: ${named}.`;
}

function listParts(parts: CausesDifference['parts'], total: number): string {
  return parts
    .filter(
      ({ value, isShown }) =>
        isShown && Math.abs(value) >= leastShare * Math.abs(total) && !readsAsZero(Math.abs(value), tenths),
    )
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .map(({ cause, value }) => `${signed(value, Math.max(Math.abs(value), Math.abs(total)))} ${causes[cause].doing}`)
    .join(', ');
}

function signed(ms: number, unit: number): string {
  const size = show(Math.abs(ms), unit);
  return ms > 0 && !isZero(size) ? `+${size}` : show(ms, unit);
}

/** In seconds where the largest is one, else in milliseconds. */
function show(ms: number, largest: number): string {
  const size = Math.abs(ms);
  const text =
    Math.abs(largest) >= 1000
      ? `${(size / 1000).toFixed(2)} s`
      : `${size.toFixed(Math.abs(largest) < 10 ? tenths : 0)} ms`;
  return ms < 0 && !isZero(text) ? `−${text}` : text;
}

/** Zero has no sign. */
function isZero(text: string): boolean {
  return !/[1-9]/.test(text);
}
