import type { ScenarioComparison } from '#core/comparison/comparison.ts';
import { listFactors, scaleReductions } from '../../figures/arranged-axes.ts';
import { formatDecimals } from '../../figures/name-figure.ts';
import { formatNumber } from '../../format/format-numbers.ts';
import { axisTicks } from '../axis-ticks.ts';

/** Reductions within which a Scenario is equivalent to the baseline. */
export interface EquivalenceBand {
  low: number;
  high: number;
}

/** One axis for the reductions of several Scenarios, on which less time is to the right. */
export interface Extent {
  /** Where a reduction is, in percent of the axis from the left. */
  placeOf: (reduction: number) => number;
  ticks: { place: number; label: string }[];
}

const mostTicks = 4;
/** Beside the outermost marks, of the distance between them. */
const marginRatio = 0.06;

/** The axis holds every interval, the zero line and the band of equivalence. */
export function reductionExtent(
  scenarios: Pick<ScenarioComparison, 'reduction'>[],
  band: EquivalenceBand | null = null,
): Extent {
  const reductions = scenarios.flatMap(({ reduction }) => reduction ?? []);
  const { toAxis, isRatio } = scaleReductions(reductions.map(({ ratio }) => ratio));
  // To the left is more time: ratios grow there.
  const along = isRatio ? (reduction: number) => -Math.log(toAxis(reduction)) : toAxis;
  const ends = reductions.flatMap(({ ratio, low, high }) => [low ?? ratio, high ?? ratio]);
  const all = [0, ...(band ? [band.low, band.high] : []), ...ends].map(along).filter(Number.isFinite);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const margin = (most - least || 0.1) * marginRatio;
  const [left, right] = [least - margin, most + margin];
  const placeOf = (reduction: number) => Math.max(0, Math.min(100, (100 * (along(reduction) - left)) / (right - left)));
  const ticks = isRatio ? ratioTicks(Math.exp(-right), Math.exp(-left)) : percentTicks(left, right);
  return { placeOf, ticks: ticks.map(({ reduction, label }) => ({ place: placeOf(reduction), label })) };
}

interface Tick {
  reduction: number;
  label: string;
}

function percentTicks(low: number, high: number): Tick[] {
  const reductions = axisTicks({ low, high }, mostTicks);
  const decimals = reductions.every((each) => Number.isInteger(Math.round(each * 1e4) / 100)) ? 0 : 1;
  return reductions.map((reduction) => ({
    reduction,
    label:
      reduction === 0
        ? 'same'
        : `${formatNumber(Math.abs(100 * reduction), decimals)}\u00A0%\u00A0${reduction > 0 ? 'less' : 'more'}`,
  }));
}

function ratioTicks(min: number, max: number): Tick[] {
  const factors = listFactors({ min, max });
  const powers = factors.filter((factor) => Math.abs(Math.log10(factor) - Math.round(Math.log10(factor))) < 1e-6);
  return (factors.length > mostTicks ? powers : factors).map((factor) => ({
    reduction: 1 - factor,
    label: factor === 1 ? 'same' : `${formatDecimals(factor)}\u00A0×`,
  }));
}

/** The band as declared: ratios between 1 − margin and 1 / (1 − margin). Null where nothing was compared. */
export function equivalenceBand(scenarios: Pick<ScenarioComparison, 'contrast'>[]): EquivalenceBand | null {
  const margin = scenarios.flatMap(({ contrast }) => contrast?.equivalence?.margin ?? [])[0];
  return margin === undefined ? null : { low: 1 - 1 / (1 - margin), high: margin };
}
