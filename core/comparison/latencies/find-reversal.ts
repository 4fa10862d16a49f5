import type { Cell } from '../comparison.ts';
import type { Reversal } from './reversal.ts';

type ComparedPage = Pick<Cell, 'url' | 'label' | 'reduction'>;

/**
 * Whether the sign of a Scenario's reduction depends on the page: at least one page is faster and at least one slower, each by its corrected p. A wrong reversal needs
 * a false positive among the pages, which Holm's correction bounds by α; docs/statistics.md has its rate in simulations. Null where there is none.
 */
export function findReversal(
  pages: readonly ComparedPage[],
  { alpha, comparisons }: { alpha: number; comparisons: number },
): Reversal | null {
  const tested = pages.flatMap(({ url, label, reduction }) =>
    reduction === null || reduction.adjustedP === null ? [] : [{ url, label, reduction }],
  );
  const shown = tested
    .filter(({ reduction }) => reduction.adjustedP! <= alpha)
    .sort((a, b) => b.reduction.ratio - a.reduction.ratio);
  const [faster, slower] = [
    shown.filter(({ reduction }) => reduction.ratio > 0),
    shown.filter(({ reduction }) => reduction.ratio < 0),
  ];
  const [fastest, slowest] = [faster[0], slower.at(-1)];
  if (!fastest || !slowest) return null;
  return { pages: tested.length, faster: faster.length, slower: slower.length, comparisons, fastest, slowest };
}
