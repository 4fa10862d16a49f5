import { causeIds } from '../../causes/causes.ts';
import type { LatencyId } from '../../metrics/index.ts';
import type { LatencyOrigin } from '../../metrics/latency-origin.ts';
import type { RecordedVisit } from '../../record/run-record.ts';
import { meanInterval } from '../../statistics/mean-interval.ts';
import { findCommonPages } from '../cells/common-pages.ts';
import { getOrMake } from '../cells/gather-cells.ts';
import { quantity } from '../checks/check.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import { averagePages, presentValues } from '../latencies/compute-reduction.ts';
import type { CausesComparison, CausesDifference, PartDifference, ScenarioCauses } from './causes-comparison.ts';
import { stateCauses, type Verdicted } from './state-causes.ts';

interface CausesDesign {
  metric: LatencyId;
  scenarios: string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  urls: { url: string; label: string }[];
  userAgents: string[];
  confidence: number;
  /** Scenarios that cannot be compared with their baseline. */
  notComparable: ReadonlySet<string>;
  /** The Scenarios in this metric with their verdicts, which sentences here are held against. */
  compared: readonly Verdicted[];
  /** From when the latencies of the verdicts count. */
  from?: LatencyOrigin | undefined;
}

/** More of them, over all Scenarios, would make a report of megabytes. */
const mostApart = 200;

/** A page of one User Agent under a Scenario and under its baseline. */
interface PartsPair {
  scenario: PartsCell;
  baseline: PartsCell;
}

/** What one latency is made of under each Scenario, and what makes the differences. Means, since only these add up. */
export function compareCauses(visits: readonly RecordedVisit[], design: CausesDesign): CausesComparison {
  const { blocks, cells, visitsWithout } = gatherParts(visits, design.metric);
  if (cells.length === 0) return { kind: 'absent', reason: explainNothing(visitsWithout) };
  const baselines = baselinesOf(design);
  const byScenario = Map.groupBy(cells, ({ scenario }) => scenario);
  const common = findCommonPages(
    cells.map((cell) => ({ ...cell, page: pageOf(cell) })),
    visits,
  );
  const pagesApart = listApart(design.urls, design.scenarios.length);
  const usersApart = listApart(design.userAgents, design.scenarios.length);
  const scenarios = design.scenarios.map((scenario): ScenarioCauses => {
    const own = byScenario.get(scenario) ?? [];
    const baseline = baselines.get(scenario)!;
    const isBaseline = scenario === baseline;
    const pairs =
      isBaseline || design.notComparable.has(scenario) ? [] : pairCells(own, byScenario.get(baseline) ?? []);
    const { confidence } = design;
    const difference = differ(pairs, confidence);
    return {
      scenario,
      isBaseline,
      parts: averageParts(own.filter((cell) => common.has(pageOf(cell)))),
      difference,
      byPage: pagesApart.flatMap(({ url, label }) => {
        const found = differ(
          pairs.filter((pair) => pair.scenario.url === url),
          confidence,
        );
        return found ? [{ url, label, ...found }] : [];
      }),
      byUserAgent: usersApart.flatMap((userAgent) => {
        const found = differ(
          pairs.filter((pair) => pair.scenario.userAgent === userAgent),
          confidence,
        );
        return found ? [{ userAgent, ...found }] : [];
      }),
      examples: difference ? findExamples(pairs, difference, blocks) : [],
    };
  });
  return {
    kind: 'split',
    metric: design.metric,
    confidence: design.confidence,
    scenarios,
    sentences: stateCauses(scenarios, design),
    visitsWithout,
  };
}

function explainNothing(visitsWithout: number): string {
  return visitsWithout > 0
    ? `Nothing is kept of how pages loaded (${quantity(visitsWithout, 'Visit')}), or it is not split into causes yet. Open this page again in a minute.`
    : 'No Visit has this latency.';
}

function pageOf({ userAgent, url }: PartsCell): string {
  return `${userAgent} ${url}`;
}

function pairCells(own: readonly PartsCell[], baseline: readonly PartsCell[]): PartsPair[] {
  const counterparts = new Map(baseline.map((cell) => [pageOf(cell), cell]));
  return own.flatMap((scenario) => {
    const counterpart = counterparts.get(pageOf(scenario));
    return counterpart ? [{ scenario, baseline: counterpart }] : [];
  });
}

function averageParts(cells: readonly PartsCell[]): number[] | null {
  if (cells.length === 0) return null;
  return causeIds.map((_, cause) => {
    const values = presentValues(averagePages(cells.map(({ byBlock }) => byBlock[cause]!)));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

/** What has differences of its own: nothing where there is one alone, or too many. */
function listApart<Of>(all: readonly Of[], scenarios: number): readonly Of[] {
  return all.length < 2 || all.length * scenarios > mostApart ? [] : all;
}

/** By Block, as the difference of means of a Scenario's contrast. */
function differ(pairs: readonly PartsPair[], confidence: number): CausesDifference | null {
  const byCause = causeIds.map((_, cause) =>
    presentValues(
      averagePages(
        pairs.map(({ scenario, baseline }) =>
          scenario.byBlock[cause]!.map((value, block) => value - baseline.byBlock[cause]![block]!),
        ),
      ),
    ),
  );
  const blocks = byCause[0]!.length;
  if (blocks === 0) return null;
  const total = byCause[0]!.map((_, block) => byCause.reduce((sum, values) => sum + values[block]!, 0));
  const present = byCause.filter((values) => values.some((value) => value !== 0)).length;
  const together = 1 - (1 - confidence) / Math.max(present, 1);
  return {
    blocks,
    total: bound(total, confidence),
    parts: causeIds.map((cause, index): PartDifference => {
      const { value, low, high } = bound(byCause[index]!, together);
      return { cause, value, low, high, isShown: low !== null && high !== null && (low > 0 || high < 0) };
    }),
  };
}

function bound(
  values: readonly number[],
  confidence: number,
): { value: number; low: number | null; high: number | null } {
  const { mean, halfWidth } = meanInterval(values, confidence);
  return {
    value: mean,
    low: halfWidth === null ? null : mean - halfWidth,
    high: halfWidth === null ? null : mean + halfWidth,
  };
}

/** The pair of Visits of each part that is shown whose difference is nearest to the mean one. */
function findExamples(
  pairs: readonly PartsPair[],
  { parts }: CausesDifference,
  blocks: readonly number[],
): ScenarioCauses['examples'] {
  return parts.flatMap(({ cause, value, isShown }) => {
    if (!isShown) return [];
    const place = causeIds.indexOf(cause);
    let best: { pair: PartsPair; block: number; distance: number } | null = null;
    for (const pair of pairs) {
      const own = pair.scenario.byBlock[place]!;
      const other = pair.baseline.byBlock[place]!;
      for (let block = 0; block < own.length; block++) {
        const distance = Math.abs(own[block]! - other[block]! - value);
        if (!Number.isNaN(distance) && distance < (best?.distance ?? Infinity))
          best = { pair, block: blocks[block]!, distance };
      }
    }
    return best
      ? [{ cause, url: best.pair.scenario.url, userAgent: best.pair.scenario.userAgent, block: best.block }]
      : [];
  });
}

/** The causes of one page of one User Agent under one Scenario. */
interface PartsCell {
  scenario: string;
  userAgent: string;
  url: string;
  /** Of each cause, the mean over the Visits of each Round, by the index of its Block; NaN where there is none. */
  byBlock: readonly Float64Array[];
}

type OpenCell = PartsCell & { visits: Uint32Array };

/** Sorts the Visits that have this latency into cells, as `gatherCells` does, with all causes in one pass. */
function gatherParts(
  visits: readonly RecordedVisit[],
  metric: LatencyId,
): { blocks: number[]; cells: PartsCell[]; visitsWithout: number } {
  const blocks = [...new Set(visits.map(({ block }) => block))].sort((a, b) => a - b);
  const indexOf = new Map(blocks.map((block, index) => [block, index]));
  const cells = new Map<string, Map<string, Map<string, OpenCell>>>();
  let visitsWithout = 0;
  for (const { latencies, isExcluded, isFailed, causes, block, scenario, userAgent, url } of visits) {
    if (latencies[metric] === null || isExcluded || isFailed) continue;
    if (!causes) {
      visitsWithout++;
      continue;
    }
    const byUserAgent = getOrMake(cells, scenario, () => new Map<string, Map<string, OpenCell>>());
    const byUrl = getOrMake(byUserAgent, userAgent, () => new Map<string, OpenCell>());
    const cell = getOrMake(byUrl, url, () => openCell({ scenario, userAgent, url }, blocks.length));
    const index = indexOf.get(block)!;
    const before = cell.visits[index]!++;
    for (let cause = 0; cause < causeIds.length; cause++) {
      const means = cell.byBlock[cause]!;
      means[index] = before === 0 ? causes[cause]! : means[index]! + (causes[cause]! - means[index]!) / (before + 1);
    }
  }
  const listed = [...cells.values()].flatMap((byUser) => [...byUser.values()].flatMap((byUrl) => [...byUrl.values()]));
  return { blocks, cells: listed, visitsWithout };
}

function openCell(of: Pick<PartsCell, 'scenario' | 'userAgent' | 'url'>, blockCount: number): OpenCell {
  return {
    ...of,
    byBlock: causeIds.map(() => new Float64Array(blockCount).fill(NaN)),
    visits: new Uint32Array(blockCount),
  };
}
