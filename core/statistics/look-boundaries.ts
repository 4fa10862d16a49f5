import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

/** One look at a growing sample. */
export interface Look {
  /** Values by then; more than at the look before. */
  count: number;
  /** The probability, where there is no difference, that this look is the first to show one. */
  spent: number;
}

/** Even, as Simpson’s rule needs it. */
const intervals = 200;

/**
 * The critical value of |Z| at each look, so that each spends its part of the error: the looks share values, so that they need less than Bonferroni’s correction.
 * Lan and DeMets 1983, by the integrals of Armitage, McPherson and Rowe 1969. No later value is below the first.
 */
export function lookBoundaries(looks: readonly Look[]): number[] {
  const boundaries: number[] = [];
  let before: { count: number; inside: Density } | null = null;
  for (const { count, spent } of looks) {
    const boundary = before === null ? quantile(1 - spent / 2, 0, 1) : findBoundary(before, { count, spent });
    const first = boundaries[0] ?? 0;
    boundaries.push(Math.max(first, boundary));
    before = { count, inside: carryOn(before, { count, boundary: boundaries.at(-1)! }) };
  }
  return boundaries;
}

/** Of the sum of the values, where no look has shown a difference: its density at points, each with the weight of Simpson’s rule. */
type Density = { sum: number; weighted: number }[];

interface Before {
  count: number;
  inside: Density;
}

function findBoundary({ count: earlier, inside }: Before, { count, spent }: Look): number {
  const step = Math.sqrt(count - earlier);
  const crosses = (boundary: number) => {
    const edge = boundary * Math.sqrt(count);
    return inside.reduce(
      (total, { sum, weighted }) =>
        total + weighted * (cdf((sum - edge) / step, 0, 1) + cdf((-sum - edge) / step, 0, 1)),
      0,
    );
  };
  let [low, high] = [0, 10];
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (crosses(middle) > spent) low = middle;
    else high = middle;
  }
  return high;
}

function carryOn(before: Before | null, { count, boundary }: { count: number; boundary: number }): Density {
  const edge = boundary * Math.sqrt(count);
  const width = (2 * edge) / intervals;
  const step = Math.sqrt(before === null ? count : count - before.count);
  const from = before?.inside ?? [{ sum: 0, weighted: 1 }];
  return Array.from({ length: intervals + 1 }, (_, index) => {
    const sum = -edge + index * width;
    const simpson = index === 0 || index === intervals ? 1 : index % 2 === 1 ? 4 : 2;
    const density = from.reduce((total, each) => total + each.weighted * normalDensity((sum - each.sum) / step), 0);
    return { sum, weighted: ((simpson * width) / 3) * (density / step) };
  });
}

function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}
