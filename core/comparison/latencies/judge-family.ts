import type { LatencyId } from '../../metrics/index.ts';
import { adjustReductions } from './adjust-reductions.ts';
import type { MetricComparison, Reduction, ScenarioComparison, Cell } from '../comparison.ts';
import type { Contrast, Verdict, Reversal } from './contrast.ts';
import { absent } from './statistic.ts';

interface Family {
  /** The declared metrics, the primary one among them. */
  metrics: readonly LatencyId[];
  /** As declared. */
  confidence: number;
  /** At which intervals are computed; above the declared one where a stop rule may have ended the Run. */
  intervalConfidence: number;
  /** Scenarios whose pages lost other objects than those of their baseline. */
  notComparable: ReadonlySet<string>;
}

/**
 * Corrects the p-values of the declared family, every Scenario in every metric of it, and says what is found of each. Cells are corrected over all URLs and
 * Scenarios of their metric, and show where a Scenario is faster on some pages and slower on others. What is in no family is judged by its own p-value, and
 * marked as exploratory. Where a stop rule may have ended the Run, p-values are raised as much as intervals are widened. Of a Scenario that is not comparable, no reduction
 * and no difference is left that somebody may show: all tables, figures and findings are made from these.
 */
export function judgeFamily(
  comparisons: readonly MetricComparison[],
  { metrics, confidence, intervalConfidence, notComparable }: Family,
): MetricComparison[] {
  const isDeclared = (metric: LatencyId) => metrics.includes(metric);
  const declared = comparisons.filter(({ metric }) => isDeclared(metric)).flatMap(({ scenarios }) => scenarios);
  const alpha = 1 - confidence;
  const raise = alpha / (1 - intervalConfidence);
  const adjusted = adjustReductions(
    declared.map(({ reduction }) => reduction),
    raise,
  );
  const familySize = declared.filter(({ reduction }) => reduction !== null && reduction.p !== null).length;
  return comparisons.map((comparison) => {
    const adjustedCells = adjustReductions(
      comparison.cells.map(({ reduction }) => reduction),
      raise,
    );
    const cells = comparison.cells.map((cell) =>
      cell.reduction
        ? { ...cell, reduction: notComparable.has(cell.scenario) ? null : adjustedCells.get(cell.reduction)! }
        : cell,
    );
    const pages = Map.groupBy(
      cells.filter(({ reduction }) => reduction !== null && reduction.p !== null),
      ({ scenario }) => scenario,
    );
    // Those that are left out below were corrected with the others.
    const comparisons = comparison.cells.filter(({ reduction }) => reduction !== null && reduction.p !== null).length;
    return {
      ...comparison,
      familySize: isDeclared(comparison.metric) ? familySize : null,
      scenarios: comparison.scenarios.map((scenario) => ({
        ...judgeScenario(scenario, {
          adjusted,
          alpha,
          raise,
          isConfirmatory: isDeclared(comparison.metric),
          isComparable: !notComparable.has(scenario.scenario),
        }),
        reversal: findReversal(pages.get(scenario.scenario) ?? [], { alpha, comparisons }),
      })),
      cells,
    };
  });
}

function judgeScenario(
  scenario: ScenarioComparison,
  {
    adjusted,
    alpha,
    raise,
    isConfirmatory,
    isComparable,
  }: {
    adjusted: Map<Reduction, Reduction>;
    alpha: number;
    raise: number;
    isConfirmatory: boolean;
    isComparable: boolean;
  },
): ScenarioComparison {
  const { reduction: raw, contrast } = scenario;
  if (!contrast) return scenario;
  if (!isComparable)
    return {
      ...scenario,
      reduction: null,
      meanReduction: null,
      contrast: withoutNumbers({ ...contrast, isConfirmatory }),
    };
  if (!raw) return scenario;
  const reduction = adjusted.get(raw) ?? raw;
  return {
    ...scenario,
    reduction,
    contrast: {
      ...contrast,
      isConfirmatory,
      verdict: judge(reduction, { alpha, raise, isEquivalent: contrast.equivalence?.isEquivalent === true }),
    },
  };
}

function withoutNumbers(contrast: Contrast): Contrast {
  const none = absent('not-comparable');
  return {
    ...contrast,
    verdict: 'not-comparable',
    meanDifference: none,
    medianDifference: none,
    bootstrapReduction: none,
    signedRank: null,
    permutation: null,
    mannWhitney: null,
    equivalence: null,
    blocks: [],
  };
}

function judge(
  { ratio, p, adjustedP }: Reduction,
  { alpha, raise, isEquivalent }: { alpha: number; raise: number; isEquivalent: boolean },
): Verdict {
  if (p === null) return 'one-block';
  if ((adjustedP ?? p * raise) <= alpha) return ratio > 0 ? 'faster' : 'slower';
  if (isEquivalent) return 'equivalent';
  return p * raise <= alpha ? 'not-after-correction' : 'no-difference-shown';
}

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
