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

/** Two significant figures below 10 %, whole numbers above: more would promise what the interval does not hold. Below 0.1 %, at most two decimals. What is not all is not 100 %. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  if (value < 0.1) return String(Number(value.toFixed(2)));
  if (value >= 99.5 && value < 100) return String(Number(Math.min(value, 99.99).toFixed(value < 99.9 ? 1 : 2)));
  return value >= 9.95 ? value.toFixed(0) : value.toPrecision(2);
}

/** The confidence of an interval: `95 %`, `99.5 %`; with as many decimals as it takes not to become 100 %. */
export function showConfidence(confidence: number): string {
  // 0.999 * 100 is 99.90000000000001 or less, as binary fractions go.
  const value = Number((confidence * 100).toFixed(6));
  const decimals = Number.isInteger(value) ? 0 : Math.max(1, Math.ceil(-Math.log10(100 - value) - 1e-6));
  return `${value.toFixed(decimals)} %`;
}

/** As it was declared: `5 %`, `2.5 %`. */
export function showMargin(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(3))} %`;
}

export function showP(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  return p >= 0.995 ? 'p = 1' : `p = ${p.toPrecision(2)}`;
}

/** With a small first letter, as within a sentence. An abbreviation, such as TLS, stays. */
export function lowerFirst(text: string): string {
  return /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
