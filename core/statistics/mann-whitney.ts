import cdf from '@stdlib/stats-base-dists-normal-cdf';
import { type RankTest, rankValues } from './wilcoxon-signed-rank.ts';

const exactUpTo = 40;

/**
 * The Mann–Whitney test (1947) that neither of two independent samples tends to be larger; U is the number of pairs in which that of the first is, a tie
 * counting half. Up to 40 values in all p is exact, with ties too: over all choices of which values are the first sample's (as R's and scipy's exact
 * ones where there are no ties). Above that normal, with ties and continuity corrected, as R's `wilcox.test`. When all values are equal p is 1.
 */
export function mannWhitney(first: readonly number[], second: readonly number[]): RankTest {
  const [n, m] = [first.length, second.length];
  const { doubledRanks, ties } = rankValues([...first, ...second]);
  const doubled = doubledRanks.subarray(0, n).reduce((sum, rank) => sum + rank, 0);
  const statistic = doubled / 2 - (n * (n + 1)) / 2;
  if (n + m <= exactUpTo) return { statistic, p: exactP(doubledRanks, { n, doubled }), isExact: true };

  const all = n + m;
  const variance = ((n * m) / 12) * (all + 1 - ties.reduce((sum, t) => sum + t ** 3 - t, 0) / (all * (all - 1)));
  if (!(variance > 0)) return { statistic, p: 1, isExact: false };
  return {
    statistic,
    p: 2 * cdf(-Math.max(0, Math.abs(statistic - (n * m) / 2) - 0.5) / Math.sqrt(variance), 0, 1),
    isExact: false,
  };
}

function exactP(doubledRanks: Int32Array, { n, doubled }: { n: number; doubled: number }): number {
  const total = doubledRanks.reduce((sum, rank) => sum + rank, 0);
  // ways[k][s]: in how many ways k of the values have the doubled rank sum s.
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(total + 1));
  ways[0]![0] = 1;
  for (const rank of doubledRanks) {
    for (let k = n; k > 0; k--) for (let sum = total; sum >= rank; sum--) ways[k]![sum]! += ways[k - 1]![sum - rank]!;
  }
  const all = ways[n]!.reduce((sum, count) => sum + count, 0);
  const less = ways[n]!.subarray(0, doubled + 1).reduce((sum, count) => sum + count, 0);
  const more = ways[n]!.subarray(doubled).reduce((sum, count) => sum + count, 0);
  return Math.min(1, (2 * Math.min(less, more)) / all);
}
