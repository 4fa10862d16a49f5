import { latencyIds, type LatencyId } from '../../metrics/catalogue.ts';
import { averagePages } from './average-pages.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import type { MetricComparison, ScenarioComparison } from '../comparison.ts';
import { contrastScenarios } from './contrast-scenarios.ts';
import { deriveGenerator } from '../../statistics/derive-generator.ts';
import { computeMeanReduction } from './compute-mean-reduction.ts';
import { flagConditions } from './flag-conditions.ts';
import { describeCells, sumCounts } from '../cells/describe-cells.ts';
import type { CellData, GatheredCells } from '../cells/gather-cells.ts';
import { listCells } from '../cells/list-cells.ts';
import { computeReduction, logRatiosByBlock, pairPages } from './compute-reduction.ts';

/** What is compared, and how: the arms and the pages, in the order of the Evaluation. */
export interface ComparedDesign {
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

/** Every Scenario against its baseline in one metric, each by itself: `judgeFamily` corrects and concludes. */
export function compareMetric(
  metric: LatencyId,
  { blocks, rounds, cells }: GatheredCells,
  design: ComparedDesign,
): MetricComparison {
  const baselines = baselinesOf(design);
  const byScenario = Map.groupBy(cells, ({ scenario }) => scenario);
  const common = findCommonPages(cells);
  const scenarios = design.scenarios.map((scenario, index): ScenarioComparison => {
    const own = byScenario.get(scenario) ?? [];
    const ownCommon = own.filter((cell) => common.pages.has(cell.page));
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
    commonPages: { count: common.pages.size, of: common.of },
    scenarios: flagConditions(scenarios, { blocks, rounds }),
    cells: [...listCells(cells, { ...listed, userAgent: null, hasEcdf: true }), ...userCells],
  };
}

/** The pages, each of one User Agent, that have a value in every Scenario which has any value at all. */
function findCommonPages(cells: readonly CellData[]): { pages: Set<number>; of: number } {
  const measured = cells.filter(({ values }) => values.length > 0);
  const scenarioCount = new Set(measured.map(({ scenario }) => scenario)).size;
  const scenariosOf = new Map<number, number>();
  for (const { page } of measured) scenariosOf.set(page, (scenariosOf.get(page) ?? 0) + 1);
  return {
    pages: new Set([...scenariosOf].filter(([, count]) => count === scenarioCount).map(([page]) => page)),
    of: new Set(cells.map(({ page }) => page)).size,
  };
}
