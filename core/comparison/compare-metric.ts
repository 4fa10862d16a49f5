import { latencyIds, type LatencyId } from '../metrics/catalogue.ts';
import { averagePages, presentValues } from './average-pages.ts';
import { baselinesOf, type ComparedGroup } from './compared-group.ts';
import type { Cell, Estimate, MetricComparison, ScenarioComparison } from './comparison.ts';
import { contrastScenarios } from './contrast-scenarios.ts';
import { deriveGenerator } from '../statistics/derive-generator.ts';
import { describeDistribution } from './describe-distribution.ts';
import type { Distribution } from './distribution.ts';
import { estimateMean } from './estimate-mean.ts';
import { computeMeanReduction } from './compute-mean-reduction.ts';
import { flagConditions } from './flag-conditions.ts';
import type { CellData, GatheredCells, VisitCounts } from './gather-cells.ts';
import { computeReduction, logRatiosByBlock, pairPages } from './compute-reduction.ts';
import { wilsonInterval } from '../statistics/wilson-interval.ts';

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
  const describe = (own: readonly CellData[], counts: VisitCounts, hasEcdf: boolean) =>
    describeCells(own, { counts, hasEcdf, metric, confidence: design.confidence });

  const scenarios = design.scenarios.map((scenario, index): ScenarioComparison => {
    const own = byScenario.get(scenario) ?? [];
    const ownCommon = own.filter((cell) => common.pages.has(pageOf(cell)));
    const counts = sumCounts(own);
    const baseline = baselines.get(scenario)!;
    const isBaseline = scenario === baseline;
    const pairs = isBaseline ? [] : pairPages(own, byScenario.get(baseline) ?? []);
    const values = averagePages(ownCommon.map(({ byBlock }) => byBlock));
    const generator = deriveGenerator(design.seed, latencyIds.indexOf(metric) + latencyIds.length * index);
    return {
      scenario,
      isBaseline,
      ...describe(ownCommon, counts, true),
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

  const byUrl = Map.groupBy(cells, ({ url }) => url);
  const listCells = (userAgent: string | null) =>
    design.urls.flatMap((page) => {
      const ofPage = (byUrl.get(page.url) ?? []).filter((cell) => userAgent === null || cell.userAgent === userAgent);
      const byArm = Map.groupBy(ofPage, ({ scenario }) => scenario);
      return design.scenarios.flatMap((scenario): Cell[] => {
        const own = byArm.get(scenario) ?? [];
        if (own.length === 0) return [];
        const baseline = baselines.get(scenario)!;
        const isContrasted = userAgent === null && scenario !== baseline;
        return [
          {
            scenario,
            userAgent,
            ...page,
            ...describe(own, sumCounts(own), userAgent === null || cells.length <= cellsWithEcdf),
            reduction: isContrasted
              ? computeReduction(logRatiosByBlock(pairPages(own, byArm.get(baseline) ?? [])), design.confidence)
              : null,
          },
        ];
      });
    });
  return {
    metric,
    familySize: null,
    commonPages: { count: common.pages.size, of: common.of },
    scenarios: flagConditions(scenarios, { blocks, rounds }),
    cells: [null, ...design.userAgents].flatMap(listCells),
  };
}

function pageOf({ userAgent, url }: CellData): string {
  return JSON.stringify([userAgent, url]);
}

/** The pages, each of one User Agent, that have a value in every Scenario which has any value at all. */
function findCommonPages(cells: readonly CellData[]): { pages: Set<string>; of: number } {
  const measured = cells.filter(({ values }) => values.length > 0);
  const scenarioCount = new Set(measured.map(({ scenario }) => scenario)).size;
  const pages = Map.groupBy(measured, pageOf);
  return {
    pages: new Set([...pages].filter(([, own]) => own.length === scenarioCount).map(([page]) => page)),
    of: new Set(cells.map(pageOf)).size,
  };
}

interface DescribeOptions {
  counts: VisitCounts;
  hasEcdf: boolean;
  metric: LatencyId;
  confidence: number;
}

type Described = Pick<ScenarioComparison, keyof VisitCounts | 'failures' | 'timeouts'> & {
  estimate: Estimate | null;
  distribution: Distribution | null;
};

function describeCells(
  cells: readonly CellData[],
  { counts, hasEcdf, metric, confidence }: DescribeOptions,
): Described {
  const rounds = presentValues(averagePages(cells.map(({ byBlock }) => byBlock)));
  // A page that never settled has no total latency: it would have had a large one.
  const isCensored = counts.timedOutVisits > 0 || (metric === 'totalMs' && counts.absentVisits > 0);
  const partOf = (count: number) =>
    counts.visits === 0 ? null : wilsonInterval({ count, of: counts.visits }, confidence);
  return {
    ...counts,
    failures: partOf(counts.failedVisits),
    timeouts: partOf(counts.timedOutVisits),
    estimate: estimateMean(rounds, confidence),
    distribution:
      rounds.length === 0
        ? null
        : describeDistribution({
            rounds,
            visits: cells.flatMap(({ values }) => values),
            confidence,
            isCensored,
            hasEcdf,
          }),
  };
}

function sumCounts(cells: readonly CellData[]): VisitCounts {
  const sum: VisitCounts = {
    visits: 0,
    failedVisits: 0,
    timedOutVisits: 0,
    absentVisits: 0,
    excludedVisits: 0,
    lossyVisits: 0,
    leftOutVisits: 0,
  };
  for (const { counts } of cells)
    for (const name of Object.keys(sum) as (keyof VisitCounts)[]) sum[name] += counts[name];
  return sum;
}
