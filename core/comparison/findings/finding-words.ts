import { groupOf, type ComparedGroup } from '../compared-group.ts';
import type { Estimate } from '../estimate.ts';

/** What a sentence about a Scenario begins with: its group; nothing where there are no groups. */
export function nameGroup(groups: readonly ComparedGroup[] | undefined, scenario: string): string {
  const group = groupOf(groups, scenario);
  return group ? `${group.name}: ` : '';
}

export function intervalOf(estimate: Estimate | null): { mean: number; low: number; high: number } | null {
  if (estimate === null || estimate.halfWidth === null) return null;
  const { mean, halfWidth } = estimate;
  return { mean, low: mean - halfWidth, high: mean + halfWidth };
}

/** `34 % less time`: a time that is 34 % shorter is not 34 % faster. */
export function changeOf(reduction: number): string {
  return `${percent(Math.abs(reduction))} % ${reduction >= 0 ? 'less' : 'more'} time`;
}

/** `between 5.1 % less and 2.0 % more time`. */
export function changeBetween(low: number, high: number): string {
  const isOneWay = low >= 0 === high >= 0;
  return `between ${isOneWay ? `${percent(Math.abs(low))} %` : changeOf(low).replace(/ time$/, '')} and ${changeOf(high)}`;
}

/** Both ends have the same sign here. */
export function rangeOf(low: number, high: number): string {
  const [from, to] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
  return `${percent(from!)}–${percent(to!)} %`;
}

/** Two significant figures below 10 %, whole numbers above: more would promise what the interval does not hold. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  return value >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2);
}

/** As it was declared: `5 %`, `2.5 %`. */
export function showMargin(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(3))} %`;
}

export function showP(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  return p >= 0.995 ? 'p = 1' : `p = ${p.toPrecision(2)}`;
}
