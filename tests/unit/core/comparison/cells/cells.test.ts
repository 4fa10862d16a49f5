import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatherLatencies, type VisitLatencies } from '#core/comparison/cells/gather-cells.ts';
import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { averagePages } from '#core/comparison/latencies/compute-reduction.ts';
import { compareMetric, areConditionsAutocorrelated } from '#core/comparison/latencies/compare-latencies.ts';
import { mannWhitney } from '#core/statistics/compare-unpaired.ts';
import { deriveGenerator } from '#core/statistics/derive-generator.ts';
import { findFlags } from '#core/comparison/latencies/find-flags.ts';
import { mannKendall } from '#core/statistics/mann-kendall.ts';
import { tTest } from '#core/statistics/mean-interval.ts';
import { medianInterval } from '#core/statistics/median-interval.ts';
import { permutationTest } from '#core/statistics/permutation-test.ts';
import { ecdf } from '#core/statistics/sample-quantile.ts';
import { wilcoxonSignedRank } from '#core/statistics/wilcoxon-signed-rank.ts';
import { design, gather, visit, type Visit } from '../support/visits.ts';

describe('constant and tiny samples', () => {
  it('have no shape, and no trend', () => {
    expect(findFlags([5, 5, 5, 5, 5, 5])).toEqual({
      skewness: null,
      bimodalityCoefficient: null,
      lagOneAutocorrelation: null,
      trend: null,
      flags: ['constant'],
    });
    expect(findFlags([5])).toMatchObject({ skewness: null, trend: null, flags: ['few-rounds'] });
    expect(mannKendall([1, 2])).toBeNull();
    expect(medianInterval([3, 1, 2, 5, 4], 0.95)).toBeNull();
  });

  it('differ with certainty where they differ by the same each time', () => {
    // As scipy's ttest_1samp of 50, 50, 50; R refuses. Only zeros, of which scipy says nan, are no difference.
    expect(tTest([0.1, 0.1, 0.1])).toBe(0);
    expect(tTest([0, 0, 0])).toBe(1);
    expect(tTest([3])).toBeNull();
    // 2 / 2^5: the least that five pairs can give
    expect(permutationTest([7, 7, 7, 7, 7], deriveGenerator(1, 0))).toEqual({ p: 0.0625, isExact: true });
    expect(wilcoxonSignedRank([7, 7, 7, 7, 7])).toEqual({ statistic: 15, p: 0.0625, isExact: true });
    expect(wilcoxonSignedRank([0, 0])).toMatchObject({ p: 1 });
    expect(mannWhitney([4, 4, 4], [4, 4])).toMatchObject({ p: 1 });
  });

  it('of more than 13 pairs are permuted at random, from the seed alone, and never to a p of 0', () => {
    const differences = Array.from({ length: 20 }, (_, index) => 1 + index / 10);
    const test = permutationTest(differences, deriveGenerator(3, 1));
    expect(test).toEqual({ p: 1e-4, isExact: false });
    const noisy = differences.map((value, index) => (index % 2 ? value : -value));
    expect(permutationTest(noisy, deriveGenerator(3, 1))).toEqual(permutationTest(noisy, deriveGenerator(3, 1)));
  });
});

describe('the distribution function', () => {
  it('has a step for each different value, and the last is 1', () => {
    expect(ecdf([1, 2, 2, 5], 50)).toEqual([
      { value: 1, ratio: 0.25 },
      { value: 2, ratio: 0.75 },
      { value: 5, ratio: 1 },
    ]);
  });

  it('of a large sample has as many exact steps as were asked for, from the least to the greatest', () => {
    const points = ecdf(
      Array.from({ length: 1000 }, (_, index) => index),
      11,
    );
    expect(points).toHaveLength(11);
    expect(points[0]).toEqual({ value: 0, ratio: 0.001 });
    expect(points.at(-1)).toEqual({ value: 999, ratio: 1 });
    for (const { value, ratio } of points) expect(ratio).toBeCloseTo((value + 1) / 1000, 12);
  });
});

describe('the value of a Round', () => {
  it('is the mean over its pages, and is not moved by a page that is missing', () => {
    expect([...averagePages([Float64Array.of(100, 120, 110), Float64Array.of(1000, 1020, 1010)])]).toEqual([
      550, 570, 560,
    ]);
    expect([...averagePages([Float64Array.of(100, 120, 110), Float64Array.of(1000, NaN, 1010)])]).toEqual([
      550, 567.5, 560,
    ]);
    expect([...averagePages([Float64Array.of(100, NaN)])]).toEqual([100, NaN]);
  });
});

describe('a million Visits', () => {
  const scenario = fc.constantFrom('direct', 'proxy');
  const userAgent = fc.constantFrom('alice', 'bob', 'carol');
  const latency = fc.option(fc.double({ min: 0.001, max: 1e6, noNaN: true }));
  const made = fc.record({
    ...{ block: fc.integer({ min: 1, max: 4 }), scenario, userAgent, url: fc.constantFrom('a', 'b') },
    ...{ isFailed: fc.boolean(), isTimedOut: fc.boolean(), isExcluded: fc.boolean() },
    latencies: fc.record({ baseMs: latency, viewportMs: latency, totalMs: latency }),
  });

  it('are gathered in one pass to the cells that each latency has by itself, to the digit', () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 60 }), (visits) => {
        const gathered = gatherLatencies(visits);
        for (const metric of latencyIds) {
          expect(gathered[metric].blocks).toEqual([...new Set(visits.map(({ block }) => block))].sort());
          expect(
            gathered[metric].cells.map(({ values, byBlock, counts: { visits: count } }) => ({
              values: [...values],
              byBlock: [...byBlock],
              count,
            })),
          ).toEqual(gatherPlainly(visits, metric));
        }
      }),
    );
  });

  it('are averaged page by page to what Block by Block gives, to the digit', () => {
    const page = fc.array(fc.oneof(fc.double({ min: 0.001, max: 1e6, noNaN: true }), fc.constant(NaN)), {
      minLength: 5,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(page, { maxLength: 8 }), (pages) => {
        expect([...averagePages(pages.map((values) => Float64Array.from(values)))]).toEqual(averageByBlock(pages));
      }),
    );
  });
});

/** What `gatherCells` gathers, as its words say it. */
function gatherPlainly(visits: readonly VisitLatencies[], metric: LatencyId) {
  const cells = Map.groupBy(visits, ({ scenario, userAgent, url }) => `${scenario} ${userAgent} ${url}`);
  const blocks = [...new Set(visits.map(({ block }) => block))].sort();
  // In the order in which Scenarios, in them User Agents, and of these URLs are first seen.
  const listed = [...Map.groupBy(cells.values(), ([first]) => first!.scenario).values()].flatMap((ofScenario) =>
    [...Map.groupBy(ofScenario, ([first]) => first!.userAgent).values()].flat(),
  );
  return listed.map((own) => {
    const counted = own.filter(({ isExcluded }) => !isExcluded);
    const measured = counted.flatMap(({ block, latencies }) =>
      latencies[metric] === null ? [] : { block, value: latencies[metric] },
    );
    const meanIn = (block: number) =>
      measured
        .filter((visit) => visit.block === block)
        .reduce((mean, { value }, before) => (before === 0 ? value : mean + (value - mean) / (before + 1)), NaN);
    return { values: measured.map(({ value }) => value), byBlock: blocks.map(meanIn), count: counted.length };
  });
}

function averageByBlock(pages: readonly (readonly number[])[]): number[] {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const present = pages.flatMap((values) => {
    const own = values.filter((value) => !Number.isNaN(value));
    return own.length === 0 ? [] : [{ values, mean: sumOf(own) / own.length }];
  });
  const grandMean = sumOf(present.map(({ mean }) => mean)) / present.length;
  return (pages[0] ?? []).map((_, block) => {
    const own = present.flatMap(({ values, mean }) => (Number.isNaN(values[block]) ? [] : values[block]! - mean));
    return own.length === 0 ? NaN : grandMean + sumOf(own) / own.length;
  });
}

describe('what counts', () => {
  it('an excluded Visit is counted as such and as nothing else', () => {
    const { cells } = compareMetric(
      'totalMs',
      gather([
        visit({}),
        visit({ block: 2, value: 9999, isExcluded: true }),
        visit({ block: 3, isFailed: true, isExcluded: true, value: null }),
      ]),
      design,
    );
    expect(cells[0]).toMatchObject({
      visits: 1,
      failedVisits: 0,
      excludedVisits: 2,
      failures: { count: 0, of: 1 },
      estimate: { rounds: 1, mean: 100 },
    });
  });

  it('a time-out is a failure, and makes the mean too low: that is flagged', () => {
    const { cells } = compareMetric(
      'totalMs',
      gather([visit({}), visit({ block: 2 }), visit({ block: 3, isFailed: true, isTimedOut: true, value: null })]),
      design,
    );
    expect(cells[0]).toMatchObject({ visits: 3, failedVisits: 1, timedOutVisits: 1, timeouts: { ratio: 1 / 3 } });
    expect(cells[0]!.distribution!.flags).toContain('censored');
  });

  it('the means of Scenarios are of the pages that all have', () => {
    const visits = [1, 2, 3].flatMap((block) => [
      visit({ block, url: 'a', value: 100 + block }),
      visit({ block, url: 'b', value: 1000 + block }),
      visit({ block, url: 'a', scenario: 'proxy', value: 90 + block }),
      visit({ block, url: 'b', scenario: 'proxy', value: null, isFailed: true }),
    ]);
    const { scenarios, cells, commonPages } = compareMetric('totalMs', gather(visits), design);
    expect(commonPages).toEqual({ count: 1, of: 2 });
    expect(scenarios.map(({ estimate }) => estimate!.mean)).toEqual([102, 92]);
    expect(cells.find(({ url, scenario }) => url === 'b' && scenario === 'direct')!.estimate!.mean).toBe(1002);
    expect(scenarios[1]!.reduction!.ratio).toBeCloseTo(
      1 - Math.exp((Math.log(91 / 101) + Math.log(92 / 102) + Math.log(93 / 103)) / 3),
      12,
    );
  });

  it('quantiles are shown where enough Visits lie beyond them', () => {
    const quantilesOf = (rounds: number) =>
      compareMetric(
        'totalMs',
        gather(Array.from({ length: rounds }, (_, block) => visit({ block, value: block }))),
        design,
      ).cells[0]!.distribution!;
    expect(quantilesOf(19).p75).toEqual({ kind: 'absent', reason: 'too-few-visits' });
    expect(quantilesOf(20)).toMatchObject({ p75: { kind: 'measured', value: 14.25 }, p95: { kind: 'absent' } });
    expect(quantilesOf(100).p95).toEqual({ kind: 'measured', value: 94.05 });
  });
});

describe('flags', () => {
  it('distinguish a trend, a long tail, and two modes', () => {
    const steps = Array.from({ length: 24 }, (_, index) => ((index * 7) % 24) / 24);
    expect(findFlags(steps.map((_, index) => 100 + index)).flags).toEqual(['autocorrelated', 'trend']);
    expect(findFlags(steps.map((step) => 100 + 3 / (1.001 - step) ** 1.5)).flags).toEqual(['skewed']);
    expect(findFlags(steps.map((step) => (step < 0.4 ? 100 : 200) + step)).flags).toEqual(['bimodal']);
    expect(findFlags(steps.map((step) => 100 + step)).flags).toEqual([]);
  });

  it('of the conditions see what follows from Round to Round across Scenarios', () => {
    const rounds = Array.from({ length: 40 }, (_, index) => ({
      scenario: index % 2 ? 'proxy' : 'direct',
      value: (index % 2 ? 500 : 1000) * (1 + 0.2 * Math.sin(index / 4)),
    }));
    expect(areConditionsAutocorrelated(rounds)).toBe(true);
    expect(
      areConditionsAutocorrelated(
        rounds.map((round, index) => ({
          ...round,
          value: (index % 2 ? 500 : 1000) * (1 + 0.01 * ((index * 17) % 13)),
        })),
      ),
    ).toBe(false);
  });
});

describe('the reduction of arithmetic means', () => {
  const rounds = [
    { block: 1, url: 'a', direct: 100, proxy: 50 },
    { block: 1, url: 'b', direct: 1000, proxy: 1100 },
    { block: 2, url: 'a', direct: 120, proxy: 62 },
    { block: 2, url: 'b', direct: 1080, proxy: 1168 },
    { block: 3, url: 'a', direct: 110, proxy: 54 },
    { block: 3, url: 'b', direct: 1090, proxy: 1190 },
  ];
  const visits = rounds.flatMap(({ block, url, direct, proxy }) => [
    visit({ block, url, value: direct }),
    visit({ block, url, scenario: 'proxy', value: proxy }),
  ]);
  const reductionsOf = (all: Visit[]) =>
    compareMetric('totalMs', gather(all), design).scenarios.map(({ reduction, meanReduction }) => ({
      reduction,
      meanReduction,
    }));

  it('follows the slow page where that of geometric means follows both', () => {
    const [direct, proxy] = reductionsOf(visits);
    expect(direct).toEqual({ reduction: null, meanReduction: null });
    expect(proxy!.reduction!.ratio).toBeGreaterThan(0.2);
    expect(proxy!.meanReduction).toMatchObject({
      blocks: 3,
      ratio: expect.closeTo(1 - 3624 / 3500, 12) as number,
    });
    expect(proxy!.meanReduction!.low).toBeLessThan(1 - 3624 / 3500);
    expect(proxy!.meanReduction!.high).toBeGreaterThan(1 - 3624 / 3500);
  });

  it('counts a page in the Blocks in which both have a value, and has no interval of one Block', () => {
    const withGap = visits.map((each) =>
      each.block === 2 && each.url === 'b' && each.scenario === 'proxy' ? { ...each, value: null } : each,
    );
    // Of the page b in Block 2 neither value counts; its own mean moves there as a does.
    expect(reductionsOf(withGap)[1]!.meanReduction!.ratio).toBeCloseTo(1 - 3602.5 / 3460, 2);
    const single = reductionsOf(visits.filter(({ block }) => block === 1))[1]!.meanReduction;
    expect(single).toEqual({ blocks: 1, ratio: expect.closeTo(1 - 1150 / 1100, 12) as number, low: null, high: null });
    expect(reductionsOf(visits.map((each) => ({ ...each, value: 0 })))[1]!.meanReduction).toBeNull();
    expect(reductionsOf(visits.filter(({ scenario }) => scenario === 'direct'))[1]!.meanReduction).toBeNull();
  });
});
