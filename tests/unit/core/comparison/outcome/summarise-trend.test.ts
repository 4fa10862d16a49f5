import { expect, test } from 'vitest';
import { summariseTrend } from '#core/comparison/outcome/summarise-trend.ts';
import { summarizeSample } from '#core/statistics/summarize-sample.ts';
import { compareScenarios } from '../support/visits.ts';

const baseline = [1000, 1010, 990, 1005, 995, 1002];

const summarise = (proxy: readonly number[], confidence: number) =>
  trendOf(proxy, { confidence }).scenarios.map(({ reduction }) => reduction);

function trendOf(
  proxy: readonly number[],
  { confidence = 0.95, engineVersions = [] }: { confidence?: number; engineVersions?: string[] } = {},
) {
  const direct = baseline.slice(0, proxy.length);
  const metrics = compareScenarios({ direct, proxy }, { baseline: 'direct', confidence });
  return summariseTrend(
    { metrics, primaryMetric: 'totalMs', intervalConfidence: confidence },
    { engineVersions, metricsVersions: [3] },
  );
}

test('a Run keeps the mean of each Scenario with its interval, and each version once, in order', () => {
  const { scenarios, ...rest } = trendOf([700, 720, 690, 705, 710, 698], {
    engineVersions: ['Firefox/2', 'Chrome/1', 'Firefox/2'],
  });
  expect(rest).toEqual({
    metric: 'totalMs',
    engineVersions: ['Chrome/1', 'Firefox/2'],
    metricsVersions: [3],
  });
  expect(scenarios).toMatchObject([
    { scenario: 'direct', isBaseline: true, rounds: 6, meanMs: expect.closeTo(6002 / 6) as number, reduction: null },
    { scenario: 'proxy', isBaseline: false, rounds: 6, meanMs: expect.closeTo(4223 / 6) as number },
  ]);
  // Student’s t at 97.5 % with 5 degrees of freedom.
  const { standardDeviation } = summarizeSample(baseline);
  expect(scenarios[0]!.halfWidthMs).toBeCloseTo((2.570581836 * standardDeviation!) / Math.sqrt(6), 6);
});

test.for([0.95, 0.99])(
  'a Run keeps the standard error of its log ratio, which its interval at %f has',
  (confidence) => {
    const proxy = [700, 720, 690, 705, 710, 698];
    const { standardDeviation } = summarizeSample(proxy.map((value, block) => Math.log(value / baseline[block]!)));
    const [direct, reduction] = summarise(proxy, confidence);
    expect(direct).toBeNull();
    expect(reduction!.standardError).toBeCloseTo(standardDeviation! / Math.sqrt(6), 10);
  },
);

test('one Block has none, and a bound beyond all numbers gives none', () => {
  expect(summarise([700], 0.95)[1]).toMatchObject({ low: null, standardError: null });
  expect(summarise([1e-300, 1e300], 0.95)[1]!.standardError).toBeNull();
});
