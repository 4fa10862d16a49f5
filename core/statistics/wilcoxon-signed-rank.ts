import cdf from '@stdlib/stats-base-dists-normal-cdf';

export interface RankTest {
  statistic: number;
  /** Two-sided. */
  p: number;
  /** From the permutation distribution, not from a normal one. */
  isExact: boolean;
}

const exactUpTo = 50;

/** Of the largest value: what differs by less is equal but for rounding, as are log(2) and −log(0.5). */
const roundingPart = 1e-12;

/**
 * Wilcoxon's signed-rank test (1945) that paired differences are symmetric about 0; V is the sum of the ranks of the positive ones. Differences of 0 are left out. Up to
 * 50 differences p is exact, with ties too: from the distribution of V over all signs, given the ranks (as scipy's `wilcoxon` with
 * `PermutationMethod`, and R's where there are no ties). Above that normal, with ties and continuity corrected, as R's. Without any difference p is 1.
 */
export function wilcoxonSignedRank(differences: readonly number[]): RankTest {
  const leastChange = roundingPart * largestOf(differences);
  const changed = differences.filter((difference) => Math.abs(difference) > leastChange);
  const n = changed.length;
  if (n === 0) return { statistic: 0, p: 1, isExact: true };
  const { doubledRanks, ties } = rankValues(changed.map(Math.abs));
  const doubled = doubledRanks.reduce((sum, rank, index) => sum + (changed[index]! > 0 ? rank : 0), 0);
  const statistic = doubled / 2;
  if (n <= exactUpTo) return { statistic, p: exactP(doubledRanks, doubled), isExact: true };

  const distance = statistic - (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties.reduce((sum, t) => sum + t ** 3 - t, 0) / 48;
  return { statistic, p: 2 * cdf(-Math.max(0, Math.abs(distance) - 0.5) / Math.sqrt(variance), 0, 1), isExact: false };
}

function exactP(doubledRanks: Int32Array, doubled: number): number {
  const parts = signedRankDistribution(doubledRanks);
  const less = parts.subarray(0, doubled + 1).reduce((sum, part) => sum + part, 0);
  const more = parts.subarray(doubled).reduce((sum, part) => sum + part, 0);
  return Math.min(1, 2 * Math.min(less, more));
}

/** By every sum that there can be: the part of all choices of signs that gives it. */
export function signedRankDistribution(ranks: ArrayLike<number>): Float64Array {
  let total = 0;
  for (let index = 0; index < ranks.length; index++) total += ranks[index]!;
  const parts = new Float64Array(total + 1);
  parts[0] = 1;
  let reached = 0;
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index]!;
    reached += rank;
    for (let sum = reached; sum >= 0; sum--) parts[sum] = (parts[sum]! + (sum >= rank ? parts[sum - rank]! : 0)) / 2;
  }
  return parts;
}

export interface Ranking {
  /** Twice the rank of each value, so that the mean ranks of ties are whole numbers; the smallest value has rank 1. */
  doubledRanks: Int32Array;
  /** How many values each group of equal ones has; 1 where there is no tie. */
  ties: number[];
}

/** Ranks, the mean rank for values that are equal but for rounding. */
export function rankValues(values: readonly number[]): Ranking {
  const equalWithin = roundingPart * largestOf(values);
  const order = Array.from({ length: values.length }, (_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const doubledRanks = new Int32Array(values.length);
  const ties: number[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!]! - values[order[from]!]! <= equalWithin) to++;
    for (let index = from; index < to; index++) doubledRanks[order[index]!] = from + to + 1;
    ties.push(to - from);
    from = to;
  }
  return { doubledRanks, ties };
}

function largestOf(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}
