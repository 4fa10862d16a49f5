import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareMetric } from '#core/comparison/latencies/compare-latencies.ts';
import type { Reduction } from '#core/comparison/comparison.ts';
import { gatherCells } from '#core/comparison/cells/gather-cells.ts';
import { meanInterval } from '#core/statistics/mean-interval.ts';
import type { CountedVisit } from '#core/comparison/cells/counted-visit.ts';
import { computeReduction, logRatiosByBlock, pairPages } from '#core/comparison/latencies/compute-reduction.ts';

interface Reference {
  means: {
    name: string;
    confidence: number;
    values: number[];
    mean: number;
    standardDeviation: number;
    halfWidth: number;
  }[];
  reduction: { baseline: number[][]; scenario: number[][]; ratio: number; low: number; high: number };
}
const reference = JSON.parse(
  readFileSync(new URL('../statistics/reference/reference.json', import.meta.url), 'utf8'),
) as Reference;

interface Observation extends CountedVisit {
  value: number | null;
}

const gather = (observations: Observation[]) => gatherCells(observations, ({ value }) => value);

const counted = { isFailed: false, isTimedOut: false, isExcluded: false };

function observe(scenario: string, blocks: number[][]): Observation[] {
  return blocks.flatMap((pages, block) =>
    pages.map((value, page) => ({
      ...counted,
      block,
      scenario,
      userAgent: 'alice',
      url: `http://origin/${page}`,
      value,
    })),
  );
}

function expectClose(actual: number | null, expected: number): void {
  expect(actual).not.toBeNull();
  expect(Math.abs(actual! - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
}

describe('the mean with its t interval', () => {
  it.each(reference.means)(
    'equals scipy: $name at $confidence',
    ({ values, confidence, mean, standardDeviation, halfWidth }) => {
      const interval = meanInterval(values, confidence);
      expectClose(interval.mean, mean);
      expectClose(interval.standardDeviation, standardDeviation);
      expectClose(interval.halfWidth, halfWidth);
    },
  );

  it('has no interval for one value, and throws for none', () => {
    expect(meanInterval([7], 0.95)).toEqual({ count: 1, mean: 7, standardDeviation: null, halfWidth: null });
    expect(() => meanInterval([], 0.95)).toThrow(RangeError);
  });
});

describe('the reduction against the baseline', () => {
  const scenario = observe('HTTP/2', reference.reduction.scenario);
  const baseline = observe('HTTP/1.1', reference.reduction.baseline);

  function reduce(own: Observation[], other: Observation[]): Reduction | null {
    const { cells } = gather([...own, ...other]);
    const of = (name: string) => cells.filter((cell) => cell.scenario === name);
    return computeReduction(logRatiosByBlock(pairPages(of('HTTP/2'), of('HTTP/1.1'))), 0.95);
  }

  it('equals scipy', () => {
    const reduction = reduce(scenario, baseline);
    expect(reduction?.blocks).toBe(6);
    expectClose(reduction!.ratio, reference.reduction.ratio);
    expectClose(reduction!.low, reference.reduction.low);
    expectClose(reduction!.high, reference.reduction.high);
  });

  it('pairs by Block and page: a page that failed in one Scenario does not shift the ratio', () => {
    const halved = baseline.map((observation) => ({
      ...observation,
      scenario: 'HTTP/2',
      value: observation.value! / 2,
    }));
    const slowest = Math.max(...halved.map(({ value }) => value));
    const withFailure = halved.map((observation) =>
      observation.value === slowest ? { ...observation, isFailed: true, value: null } : observation,
    );
    expectClose(reduce(withFailure, baseline)!.ratio, 0.5);
  });

  it('pages that gain differently do not shift it either when one of them fails once', () => {
    const gains = [0.9, 0.9, 0.2, 0.9];
    const changed = baseline.map((observation, index) => ({
      ...observation,
      scenario: 'HTTP/2',
      value: observation.value! * gains[index % 4]!,
    }));
    const withFailure = changed.map((observation, index) =>
      index === 2 ? { ...observation, isFailed: true, value: null } : observation,
    );
    const all = reduce(changed, baseline)!;
    expectClose(reduce(withFailure, baseline)!.ratio, all.ratio);
    expect(all.high! - all.low!).toBeLessThan(1e-9);
  });

  it('is null when no Block has both', () => {
    expect(
      reduce(
        scenario.filter(({ block }) => block < 3),
        baseline.filter(({ block }) => block >= 3),
      ),
    ).toBeNull();
  });
});

describe('the comparison of one metric', () => {
  const design = {
    scenarios: ['HTTP/1.1', 'HTTP/2'],
    baseline: 'HTTP/1.1',
    userAgents: ['alice', 'bob'],
    urls: [{ url: 'http://origin/a', label: 'a', variables: { images: 1 } }],
    confidence: 0.95,
    equivalenceMargin: 0.05,
    seed: 1,
  };
  const visit = (
    block: number,
    scenario: string,
    userAgent: string,
    value: number | null,
    isFailed = false,
  ): Observation => ({
    ...counted,
    block,
    scenario,
    userAgent,
    url: 'http://origin/a',
    isFailed,
    value,
  });

  it('takes the Round, not the Visit, as the unit: two users in one Round are one value', () => {
    const { cells } = compareMetric(
      'totalMs',
      gather([
        visit(1, 'HTTP/1.1', 'alice', 100),
        visit(1, 'HTTP/1.1', 'bob', 300),
        visit(2, 'HTTP/1.1', 'alice', 200),
        visit(2, 'HTTP/1.1', 'bob', 400),
      ]),
      design,
    );
    const pooled = cells.find((cell) => cell.userAgent === null && cell.scenario === 'HTTP/1.1');
    expect(pooled?.estimate).toMatchObject({ rounds: 2, mean: 250 });
    expect(pooled?.visits).toBe(4);
    expect(cells.find((cell) => cell.userAgent === 'bob')?.estimate?.mean).toBe(350);
  });

  it('counts failed and absent Visits and keeps them out of the mean', () => {
    const { scenarios } = compareMetric(
      'totalMs',
      gather([
        visit(1, 'HTTP/2', 'alice', 100),
        visit(1, 'HTTP/2', 'bob', null, true),
        visit(2, 'HTTP/2', 'alice', null),
      ]),
      design,
    );
    expect(scenarios[1]).toMatchObject({
      visits: 3,
      failedVisits: 1,
      absentVisits: 1,
      estimate: { rounds: 1, mean: 100, halfWidth: null },
    });
  });

  it('has no cell for what was never measured, and no estimate for what never gave a value', () => {
    const { cells, scenarios } = compareMetric('totalMs', gather([visit(1, 'HTTP/2', 'alice', null, true)]), design);
    expect(cells.map((cell) => cell.userAgent)).toEqual([null, 'alice']);
    expect(cells[0]?.estimate).toBeNull();
    expect(scenarios[0]).toMatchObject({ visits: 0, estimate: null });
  });
});
