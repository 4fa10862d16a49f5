import { contrastCounts } from '../../core/comparison/counted/counted-value.ts';
import { toReduction, averagePages, logRatio } from '../../core/comparison/latencies/compute-reduction.ts';
import { assertNever } from '../../core/assert-never.ts';
import { shareBandwidth } from '../../core/comparison/network/compare-bandwidth.ts';
import { readPointValues } from '../../core/comparison/network/compare-points.ts';
import { jainIndex } from '../../core/statistics/jain-index.ts';
import type { MeasuredVisit, Measurements, RoundNetwork } from './study-measurements.ts';
import { isChosen } from '../../core/study/join-parts.ts';
import { unitOf, type Quantity, type StudyMetricId, type Where } from '../../core/study/quantity.ts';
import type { PointTraffic } from '../../core/record/point-traffic.ts';
import { meanInterval } from '../../core/statistics/mean-interval.ts';
import {
  estimateLargest,
  estimateLeast,
  estimateMean,
  estimateOverBlocks,
  type QuantityEstimate,
  widenInterval,
} from './quantity-estimate.ts';

/** What the headers of TCP, IP and Ethernet add to the bytes of a page. */
const headerFactor = 1.06;

/** A quantity in a Run, with its interval; null where nothing of it was measured. `family`: of how many quantities the intervals hold together (Bonferroni). */
export function measureQuantity(quantity: Quantity, run: Measurements, family = 1): QuantityEstimate | null {
  const { visits, users, points, network, linkOf } = run;
  const confidence = family === 1 ? run.confidence : 1 - (1 - run.confidence) / family;
  const pages = (selection: PageSelection) => pagesByBlock(visits, selection);
  const estimate = (byBlock: Float64Array, transform?: (value: number) => number) =>
    estimateOverBlocks(byBlock, { confidence, ...(transform && { transform }) });
  const slopes = (selection: PageSelection & { on: string }) =>
    slopeByBlock([...pages(selection).values()], selection.on);
  const totalsAndBytes = (selection: Omit<PageSelection, 'metric'>) =>
    (['totalMs', 'receivedBytes'] as const).map((metric) => pages({ ...selection, metric }));
  switch (quantity.kind) {
    case 'mean':
      return estimateMean(averagePages([...pages(quantity).values()].map(({ byBlock }) => byBlock)), {
        confidence,
        isTime: unitOf(quantity.metric) === 'ms',
      });
    case 'largest': {
      const found = chooseVisits(visits, quantity).map((visit) => valueOf(visit, quantity)!);
      return estimateLargest(found, visits.filter((visit) => isAskedFor(visit, quantity)).length);
    }
    case 'rate': {
      const [totals, bytes] = totalsAndBytes(quantity);
      return estimate(averagePages(combine(totals!, bytes!, (totalMs, received) => (received * 8) / totalMs)));
    }
    case 'difference':
      return estimate(averagePages(combine(pages(quantity), pages(other(quantity)), (own, against) => own - against)));
    case 'reduction':
      return estimate(averagePages(combine(pages(quantity), pages(other(quantity)), logRatio)), toReduction);
    case 'reduction-difference': {
      const { minus, ...own } = quantity;
      const [first, second] = [own, { ...own, ...minus }].map((pair) =>
        averagePages(combine(pages(pair), pages(other(pair)), logRatio)).map(toReduction),
      );
      return estimate(first!.map((reduction, block) => reduction - second![block]!));
    }
    case 'slope':
      return estimate(slopes(quantity));
    case 'slope-ratio': {
      const against = slopes(other(quantity));
      // Nothing is a multiple of a line that does not rise.
      return estimate(slopes(quantity).map((slope, block) => slope / (against[block] || NaN)));
    }
    case 'fairness':
      return estimate(Float64Array.from(sharedBytes(run, quantity.scenario).map((bytes) => jainIndex(bytes))));
    case 'least-fairness':
      return leastOfRounds(run, quantity.scenario, jainIndex);
    case 'least-to-most':
      return leastOfRounds(run, quantity.scenario, (bytes) => Math.min(...bytes) / Math.max(...bytes));
    case 'over-ideal': {
      const { rttMs, forwardKbps } = linkOf(quantity.scenario);
      if (rttMs === null || forwardKbps === null) return null;
      const overIdeal = (totalMs: number, bytes: number) =>
        totalMs / (rttMs + (headerFactor * bytes * 8) / forwardKbps);
      const [totals, bytes] = totalsAndBytes(quantity);
      return estimate(averagePages(combine(totals!, bytes!, overIdeal)));
    }
    case 'first-to-start': {
      if (users.kind === 'absent') return null;
      const found = users.scenarios.find(({ scenario }) => scenario === quantity.scenario)?.firstToStart ?? null;
      if (found === null) return null;
      const { ratio, low, high, blocks } = found;
      if (low === null || high === null) return { value: ratio, interval: null, blocks };
      const logs = { low: Math.log1p(-high), high: Math.log1p(-low) };
      const [from, to] = widenInterval(logs, { of: run.confidence, to: confidence, blocks });
      return { value: ratio, interval: { low: toReduction(to), high: toReduction(from) }, blocks };
    }
    case 'user-reduction': {
      const byPage = Map.groupBy(pages(quantity), ([key]) => pageOf(key));
      const logRatios = [...byPage.values()].flatMap((each) => againstAverage(each, quantity));
      return estimate(averagePages(logRatios), toReduction);
    }
    case 'user-share': {
      const shares = listShares(run, quantity.scenario).flatMap(
        (round) => round.find(({ userAgent }) => userAgent === quantity.userAgent)?.share ?? [],
      );
      return estimate(Float64Array.from(shares));
    }
    case 'capture-point':
      return measureAtPoint(quantity, { points, confidence });
    case 'network-figure':
      return measureNetwork(quantity, { network, confidence });
    default:
      return assertNever(quantity);
  }
}

function other<Selection extends PageSelection & { against: string }>(quantity: Selection): Selection {
  return { ...quantity, scenario: quantity.against };
}

/** Of the pages that both have, block by block. */
function combine(
  pages: ReadonlyMap<string, StudyPage>,
  others: ReadonlyMap<string, StudyPage>,
  by: (own: number, against: number) => number,
): Float64Array[] {
  return [...pages].flatMap(([key, { byBlock }]) => {
    const against = others.get(key)?.byBlock;
    return against ? [byBlock.map((value, block) => by(value, against[block]!))] : [];
  });
}

/** The logarithms of one user’s values of a page over the geometric mean of all users’, or of those `among` whom it is compared, Block by Block; none without this user. */
function againstAverage(
  page: readonly (readonly [string, StudyPage])[],
  { userAgent, among }: { userAgent: string; among?: readonly string[] | undefined },
): Float64Array[] {
  const own = page.find(([key]) => userOf(key) === userAgent)?.[1].byBlock;
  if (!own) return [];
  const compared = page.filter(([key]) => among?.includes(userOf(key)) ?? true);
  return [
    own.map(
      (value, block) => logRatio(value, 1) - meanOf(compared.map(([, other]) => logRatio(other.byBlock[block]!, 1))),
    ),
  ];
}

/** How all User Agents shared each Round of a Scenario. A Round in which one of them was not captured shows the shares of the others only, and does not count. */
function listShares({ visits, traffic }: Measurements, scenario: string) {
  const userCount = new Set(visits.map(({ userAgent }) => userAgent)).size;
  return traffic.flatMap((round) => {
    const isWhole = round.scenario === scenario && userCount > 1 && round.users.length === userCount;
    const shares = isWhole ? shareBandwidth(round.users) : null;
    return shares === null ? [] : [shares];
  });
}

function sharedBytes(run: Measurements, scenario: string): number[][] {
  return listShares(run, scenario).map((shares) => shares.map(({ bytes }) => bytes));
}

/** The least value in any Round of a Scenario of what `measure` says of its User Agents’ bytes. */
function leastOfRounds(run: Measurements, scenario: string, measure: (bytes: readonly number[]) => number) {
  const rounds = run.traffic.filter((round) => round.scenario === scenario);
  return estimateLeast(sharedBytes(run, scenario).map(measure), rounds.length);
}

/** The slope of the least-squares line through the pages of each Block, by index of the Block; NaN with fewer than two values of the variable. */
function slopeByBlock(pages: readonly StudyPage[], variable: string): Float64Array {
  const blocks = pages[0]?.byBlock.length ?? 0;
  return Float64Array.from({ length: blocks }, (_, block) => {
    const points = pages.flatMap(({ variables, byBlock }) => {
      const [x, y] = [variables[variable], byBlock[block]!];
      return x === undefined || Number.isNaN(y) ? [] : [{ x, y }];
    });
    return slopeOf(points);
  });
}

/** Σ(x − x̄)(y − ȳ) / Σ(x − x̄)². */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return spread > 0 ? points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread : NaN;
}

/** The values of a page of one User Agent: the mean of its Visits in each Block, by index of the Block; NaN where there is none. */
interface StudyPage {
  variables: Readonly<Record<string, number>>;
  byBlock: Float64Array;
}

interface PageSelection {
  metric: StudyMetricId;
  /** The Capture Point that the bytes crossed. */
  at?: string | undefined;
  scenario: string;
  where: Where;
}

/** Undefined where the Visit has none. */
function valueOf({ values, bytesAt }: MeasuredVisit, { metric, at }: Pick<PageSelection, 'metric' | 'at'>) {
  return at === undefined ? values[metric] : bytesAt?.[at];
}

export function isAskedFor(
  visit: MeasuredVisit,
  { scenario, where }: Pick<PageSelection, 'scenario' | 'where'>,
): boolean {
  return visit.scenario === scenario && isChosen(visit.variables, where);
}

/** The Visits of a Scenario that have a value. */
export function chooseVisits<Visit extends MeasuredVisit>(visits: readonly Visit[], selection: PageSelection): Visit[] {
  return visits.filter((visit) => isAskedFor(visit, selection) && valueOf(visit, selection) !== undefined);
}

/** The pages of a Scenario that have a value, by User Agent and page. */
export function pagesByBlock(visits: readonly MeasuredVisit[], selection: PageSelection): Map<string, StudyPage> {
  const blocks = [...new Set(visits.map(({ block }) => block))].sort((a, b) => a - b);
  const chosen = chooseVisits(visits, selection);
  const pages = Map.groupBy(chosen, ({ userAgent, page }) => keyOf(userAgent, page));
  return new Map(
    [...pages].map(([key, own]) => {
      const inBlock = Map.groupBy(own, ({ block }) => block);
      const byBlock = Float64Array.from(blocks, (block) =>
        meanOf((inBlock.get(block) ?? []).map((visit) => valueOf(visit, selection)!)),
      );
      return [key, { variables: own[0]!.variables, byBlock }];
    }),
  );
}

function keyOf(userAgent: string, page: string): string {
  return JSON.stringify([userAgent, page]);
}

function userOf(key: string): string {
  return (JSON.parse(key) as [string, string])[0];
}

function pageOf(key: string): string {
  return (JSON.parse(key) as [string, string])[1];
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What crossed a Capture Point per Round or, with `against`, the ratio of the two means over the Blocks that have both; null where it is not known. */
function measureAtPoint(
  { point, figure, scenario, against }: Extract<Quantity, { kind: 'capture-point' }>,
  { points, confidence }: { points: readonly PointTraffic[]; confidence: number },
): QuantityEstimate | null {
  const valuesOf = (name: string) =>
    readPointValues(
      points.filter((each) => each.point === point && each.scenario === name),
      figure,
    );
  const own = valuesOf(scenario);
  if (own.kind === 'absent') return null;
  if (against === undefined) {
    const { mean, halfWidth, count } = meanInterval([...own.byBlock.values()], confidence);
    const interval = halfWidth === null ? null : { low: mean - halfWidth, high: mean + halfWidth };
    return { value: mean, interval, blocks: count };
  }
  const other = valuesOf(against);
  const contrast = other.kind === 'known' ? contrastCounts(own.byBlock, other.byBlock, confidence) : null;
  if (!contrast?.ratio) return null;
  const { value, low, high } = contrast.ratio;
  return { value, interval: low === null || high === null ? null : { low, high }, blocks: contrast.blocks };
}

/** A figure of the emulated network or, with `against`, the difference of the two Scenarios in each Block; null where it was not counted. */
function measureNetwork(
  { figure, unit, scenario, against }: Extract<Quantity, { kind: 'network-figure' }>,
  { network, confidence }: { network: readonly RoundNetwork[]; confidence: number },
): QuantityEstimate | null {
  const blocks = [...new Set(network.map(({ block }) => block))];
  const valuesOf = (name: string) => {
    const byBlock = new Map(
      network
        .filter((round) => round.scenario === name)
        .map(({ block, figures }) => [
          block,
          figures.find((each) => each.figure === figure && each.unit === unit)?.value,
        ]),
    );
    return Float64Array.from(blocks, (block) => byBlock.get(block) ?? NaN);
  };
  const own = valuesOf(scenario);
  const other = against === undefined ? null : valuesOf(against);
  return estimateOverBlocks(other === null ? own : own.map((value, index) => value - other[index]!), { confidence });
}
