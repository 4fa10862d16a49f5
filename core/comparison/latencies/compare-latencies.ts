import { latencyIds, type LatencyId } from '../../metrics/index.ts';
import type { MetricComparison, ScenarioComparison } from '../comparison.ts';
import { findCommonPages } from '../cells/common-pages.ts';
import type { CellData, GatheredCells } from '../cells/gather-cells.ts';
import { judgeFamily } from './judge-family.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import { contrastScenarios } from './contrast-scenarios.ts';
import { deriveGenerator } from '../../statistics/derive-generator.ts';
import { describeCells, sumCounts, listCells } from '../cells/describe-cells.ts';
import {
  computeReduction,
  logRatiosByBlock,
  pairPages,
  averagePages,
  computeMeanReduction,
} from './compute-reduction.ts';
import { isAutocorrelated } from './find-flags.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';

/** What is compared, and how: the arms and the pages, in the order of the Evaluation. */
interface ComparedDesign {
  scenarios: string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  userAgents: string[];
  urls: { url: string; label: string; variables: Record<string, number> }[];
  /** At which intervals are computed. */
  confidence: number;
  equivalenceMargin: number;
  /** Of the Run: for what is drawn at random. */
  seed: number;
  /** Whether single User Agents have cells; they have unless it is false. */
  hasUserCells?: boolean;
}

/** More cells than this have no distribution function of their own in the report, unless they are pooled: it would have tens of megabytes. */
const cellsWithEcdf = 2000;

/** Every Scenario against the baseline in every latency, with what the declared family of metrics allows to conclude. */
export function compareLatencies(
  gathered: Readonly<Record<LatencyId, GatheredCells>>,
  design: ComparedDesign & {
    family: readonly LatencyId[];
    declaredConfidence: number;
    notComparable?: ReadonlySet<string>;
  },
): MetricComparison[] {
  const comparisons = latencyIds.map((metric) => compareMetric(metric, gathered[metric], design));
  return judgeFamily(comparisons, {
    metrics: design.family,
    confidence: design.declaredConfidence,
    intervalConfidence: design.confidence,
    notComparable: design.notComparable ?? new Set(),
  });
}

/** Every Scenario against its baseline in one metric, each by itself: `judgeFamily` corrects and concludes. */
export function compareMetric(
  metric: LatencyId,
  { blocks, rounds, cells }: GatheredCells,
  design: ComparedDesign,
): MetricComparison {
  const baselines = baselinesOf(design);
  const byScenario = Map.groupBy(cells, ({ scenario }) => scenario);
  const common = findCommonPages(
    cells.filter(({ values }) => values.length > 0),
    cells,
  );
  const scenarios = design.scenarios.map((scenario, index): ScenarioComparison => {
    const own = byScenario.get(scenario) ?? [];
    const ownCommon = own.filter((cell) => common.has(cell.page));
    const counts = sumCounts(own);
    const baseline = baselines.get(scenario)!;
    const isBaseline = scenario === baseline;
    const pairs = isBaseline ? [] : pairPages(own, byScenario.get(baseline) ?? []);
    const values = averagePages(ownCommon.map(({ byBlock }) => byBlock));
    const generator = deriveGenerator(design.seed, latencyIds.indexOf(metric) + latencyIds.length * index);
    return {
      scenario,
      isBaseline,
      ...describeCells(ownCommon, { counts, hasEcdf: true, metric, confidence: design.confidence }),
      blocks: blocks.flatMap((block, position) =>
        values.length === 0 || Number.isNaN(values[position]) ? [] : [{ block, value: values[position]! }],
      ),
      reduction: computeReduction(logRatiosByBlock(pairs), design.confidence),
      meanReduction: computeMeanReduction(pairs, design.confidence),
      contrast: contrastScenarios(pairs, {
        blocks,
        confidence: design.confidence,
        equivalenceMargin: design.equivalenceMargin,
        generator,
      }),
      reversal: null,
    };
  });

  const listed = { ...design, metric };
  const hasEcdf = cells.length <= cellsWithEcdf;
  const byUser =
    design.hasUserCells === false ? new Map<string, CellData[]>() : Map.groupBy(cells, (cell) => cell.userAgent);
  const userCells = design.userAgents.flatMap((userAgent) =>
    listCells(byUser.get(userAgent) ?? [], { ...listed, userAgent, hasEcdf }),
  );
  return {
    metric,
    familySize: null,
    commonPages: { count: common.size, of: new Set(cells.map(({ page }) => page)).size },
    scenarios: flagConditions(scenarios, { blocks, rounds }),
    cells: [...listCells(cells, { ...listed, userAgent: null, hasEcdf: true }), ...userCells],
  };
}

/** Flags every Scenario as autocorrelated when the conditions of the Run were. */
function flagConditions(
  scenarios: ScenarioComparison[],
  { blocks, rounds }: Pick<GatheredCells, 'blocks' | 'rounds'>,
): ScenarioComparison[] {
  const values = new Map(
    scenarios.map(({ scenario, blocks: ofBlocks }) => [
      scenario,
      new Map(ofBlocks.map(({ block, value }) => [block, value])),
    ]),
  );
  const inOrder = rounds.flatMap(({ scenario, block }) => {
    const value = values.get(scenario)?.get(blocks[block]!);
    return value === undefined || value <= 0 ? [] : [{ scenario, value }];
  });
  if (!areConditionsAutocorrelated(inOrder)) return scenarios;
  return scenarios.map((scenario) => {
    const { distribution } = scenario;
    if (!distribution || distribution.flags.includes('autocorrelated')) return scenario;
    return { ...scenario, distribution: { ...distribution, flags: [...distribution.flags, 'autocorrelated'] } };
  });
}

/**
 * Whether the Rounds of a Run, in the order of execution and each as far as it lies above or below the geometric mean of its Scenario, follow each other more than chance
 * explains. Rounds that follow each other at once show more of that than those of one Scenario, which are a Block apart.
 */
export function areConditionsAutocorrelated(rounds: readonly { scenario: string; value: number }[]): boolean {
  const logs = Map.groupBy(rounds, ({ scenario }) => scenario);
  const means = new Map(
    [...logs].map(([scenario, own]) => [scenario, summarizeSample(own.map(({ value }) => Math.log(value))).mean]),
  );
  return isAutocorrelated(rounds.map(({ scenario, value }) => Math.log(value) - means.get(scenario)!));
}
