import { readFileSync } from 'node:fs';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';
import { cliffsDelta, mannWhitney, welchInterval } from '#core/statistics/compare-unpaired.ts';
import { holmAdjust } from '#core/statistics/holm-adjust.ts';
import {
  lagOneAutocorrelation,
  bimodalityCoefficient,
  excessKurtosis,
  skewness,
} from '#core/comparison/latencies/find-flags.ts';
import { mannKendall } from '#core/statistics/mann-kendall.ts';
import { tTest } from '#core/statistics/mean-interval.ts';
import { medianInterval } from '#core/statistics/median-interval.ts';
import { permutationTest } from '#core/statistics/permutation-test.ts';
import { sampleQuantile } from '#core/statistics/sample-quantile.ts';
import { testEquivalence, hodgesLehmann, bcaFromReplicates } from '#core/comparison/latencies/contrast-scenarios.ts';
import { wilcoxonSignedRank } from '#core/statistics/wilcoxon-signed-rank.ts';
import { wilsonInterval } from '#core/comparison/cells/describe-cells.ts';

interface Interval {
  value: number;
  low: number | null;
  high: number | null;
}
interface Test {
  statistic: number;
  p: number;
}
interface FromR {
  confidence: number;
  medians: Record<
    string,
    { values: number[]; median: number; low: number | null; high: number | null; quantiles: number[] }
  >;
  paired: Record<
    string,
    {
      first: number[];
      second: number[];
      signedRank: Test | null;
      hodgesLehmann: Interval;
      mannWhitney: Test | null;
      t: number | null;
      welch: Interval;
    }
  >;
  trends: Record<string, { values: number[]; tau: number; p: number; lagOne: number }>;
  parts: { count: number; of: number; low: number; high: number }[];
  adjusted: { values: number[]; holm: number[] }[];
}
interface FromScipy {
  shapes: Record<
    string,
    { values: number[]; skewness: number | null; excessKurtosis: number | null; bimodalityCoefficient: number | null }
  >;
  ranked: Record<
    string,
    {
      first: number[];
      second: number[];
      signedRank?: Test;
      permutation: number;
      mannWhitney?: Test;
      cliffsDelta: number;
      probabilityFirstIsSmaller: number;
      equivalence?: number;
    }
  >;
  bca: { confidence: number; estimate: number; replicates: number[]; jackknife: number[]; low: number; high: number }[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`reference/${name}`, import.meta.url), 'utf8'));
const r = read('reference-r.json') as FromR;
const scipy = read('reference-scipy.json') as FromScipy;
const differencesOf = ({ first, second }: { first: number[]; second: number[] }) =>
  first.map((value, index) => value - second[index]!);

/** Equal to within 10⁻⁹ of the value, or of 1. */
function expectSame(actual: number | null | undefined, expected: number | null | undefined): void {
  if (expected === null || expected === undefined) return expect(actual ?? null).toBeNull();
  expect(actual).toEqual(expect.any(Number));
  expect(Math.abs(actual! - expected) / Math.max(1, Math.abs(expected))).toBeLessThanOrEqual(1e-9);
}

function expectSameInterval(actual: Interval, expected: Interval): void {
  expectSame(actual.value, expected.value);
  expectSame(actual.low, expected.low);
  expectSame(actual.high, expected.high);
}

describe('equal to R', () => {
  it.each(Object.entries(r.medians))(
    'the median, its exact interval, and quantiles of type 7: %s',
    (_, { values, median, low, high, quantiles }) => {
      const interval = medianInterval(values, r.confidence);
      if (low === null) expect(interval).toBeNull();
      else expectSameInterval(interval!, { value: median, low, high });
      [0.05, 0.25, 0.75, 0.95].forEach((p, index) => expectSame(sampleQuantile(values, p), quantiles[index]));
    },
  );

  it.each(Object.entries(r.paired))('paired tests and intervals: %s', (_, pair) => {
    const differences = differencesOf(pair);
    expectSameInterval(hodgesLehmann(differences, r.confidence), pair.hodgesLehmann);
    if (pair.signedRank) {
      const test = wilcoxonSignedRank(differences);
      expectSame(test.statistic, pair.signedRank.statistic);
      expectSame(test.p, pair.signedRank.p);
    }
    // R refuses the t test of a constant difference; ours says that it is certain, below.
    if (pair.t !== null) expectSame(tTest(differences), pair.t);
  });

  it.each(Object.entries(r.paired))(
    'tests and intervals without pairs: %s',
    (_, { first, second, mannWhitney: expected, welch }) => {
      expectSameInterval(welchInterval(first, second, r.confidence)!, welch);
      if (!expected) return;
      const test = mannWhitney(first, second);
      expectSame(test.statistic, expected.statistic);
      expectSame(test.p, expected.p);
    },
  );

  it.each(Object.entries(r.trends))('trend and autocorrelation: %s', (_, { values, tau, p, lagOne }) => {
    const trend = mannKendall(values);
    expectSame(trend?.tau, tau);
    expectSame(trend?.p, p);
    expectSame(lagOneAutocorrelation(values), lagOne);
  });

  it.each(r.parts)('Wilson’s interval of $count of $of', ({ count, of, low, high }) => {
    const interval = wilsonInterval({ count, of }, r.confidence);
    expectSame(interval.low, low);
    expectSame(interval.high, high);
  });

  it('Holm’s correction', () => {
    for (const { values, holm } of r.adjusted) holmAdjust(values).forEach((p, index) => expectSame(p, holm[index]));
    expect(holmAdjust([])).toEqual([]);
  });
});

describe('equal to scipy', () => {
  it.each(Object.entries(scipy.shapes))('skewness, kurtosis and bimodality: %s', (_, shape) => {
    expectSame(skewness(shape.values), shape.skewness);
    expectSame(excessKurtosis(shape.values), shape.excessKurtosis);
    expectSame(bimodalityCoefficient(shape.values), shape.bimodalityCoefficient);
  });

  it.each(Object.entries(scipy.ranked))('permutation and rank tests, exact with ties too: %s', (_, pair) => {
    const differences = differencesOf(pair);
    expectSame(permutationTest(differences, xoroshiro128plus(1)).p, pair.permutation);
    const signedRank = wilcoxonSignedRank(differences);
    expectSame(signedRank.statistic, pair.signedRank?.statistic ?? 0);
    expectSame(signedRank.p, pair.signedRank?.p ?? 1);
    if (pair.mannWhitney) {
      const test = mannWhitney(pair.first, pair.second);
      expectSame(test.statistic, pair.mannWhitney.statistic);
      expectSame(test.p, pair.mannWhitney.p);
    }
  });

  it.each(Object.entries(scipy.ranked))('effect sizes and equivalence: %s', (_, pair) => {
    const dominance = cliffsDelta(pair.first, pair.second);
    expectSame(dominance.cliffsDelta, pair.cliffsDelta);
    expectSame(dominance.probabilityFirstIsSmaller, pair.probabilityFirstIsSmaller);
    if (pair.equivalence === undefined) return;
    const logs = pair.first.map((value, index) => Math.log(pair.second[index]! / value));
    expectSame(testEquivalence(logs, { low: Math.log(0.95), high: -Math.log(0.95) }), pair.equivalence);
  });

  it.each(scipy.bca)(
    'the BCa interval at $confidence',
    ({ confidence, estimate, replicates, jackknife, low, high }) => {
      const interval = bcaFromReplicates(
        { estimate, replicates: Float64Array.from(replicates), jackknife },
        confidence,
      );
      expectSame(interval.low, low);
      expectSame(interval.high, high);
    },
  );
});
