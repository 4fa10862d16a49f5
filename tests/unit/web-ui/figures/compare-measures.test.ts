import { expect, test } from 'vitest';
import { compareMeasures } from '#web-ui/src/figures/compare-measures.ts';
import type { Measurements } from '#core/record/measurements.ts';

/** Two Blocks of two Scenarios, one page each: FCP of 100 and 200, then of 50 and 110; a shift where there is one. */
const measurements: Measurements = {
  design: {
    confidence: 0.95,
    intervalConfidence: 0.95,
    primaryMetric: 'totalMs',
    scenarios: ['direct', 'proxy'].map((name, index) => ({
      name,
      isBaseline: index === 0,
      group: null,
      variables: {},
    })),
    userAgents: [{ name: 'alice', userClass: null }],
    pages: [{ page: 'http://origin.test/', label: 'origin.test/', variables: {} }],
    figures: [],
  },
  available: ['firstContentfulPaintMs', 'cumulativeLayoutShift'],
  visits: { block: [1, 1, 2, 2], scenario: [0, 1, 0, 1], userAgent: [0, 0, 0, 0], page: [0, 0, 0, 0] },
  values: {
    firstContentfulPaintMs: [100, 50, 200, 110],
    cumulativeLayoutShift: [0, 0.1, 0, 0.3],
    speedIndexMs: [300, null, 400, null],
  },
  leftOut: null,
};

test('each Scenario has its mean, and its change from the baseline: a ratio, or a difference where the baseline is 0', () => {
  const [direct, proxy] = compareMeasures(measurements, ['firstContentfulPaintMs', 'cumulativeLayoutShift']);
  expect(direct).toMatchObject({
    scenario: 'direct',
    values: { firstContentfulPaintMs: { estimate: { mean: 150, rounds: 2 }, contrast: null } },
  });
  const { firstContentfulPaintMs: paint, cumulativeLayoutShift: shift } = proxy!.values;
  expect(paint).toMatchObject({ estimate: { mean: 80 }, contrast: { ratio: { value: 80 / 150 }, blocks: 2 } });
  expect(shift).toMatchObject({ contrast: { ratio: null, difference: { value: 0.2 } } });
});

test('a metric that one Scenario lacks has a mean there only, and one that no page has in all has none', () => {
  const [direct, proxy] = compareMeasures(measurements, ['speedIndexMs', 'largestContentfulPaintMs']);
  expect(direct!.values.speedIndexMs).toMatchObject({ estimate: { mean: 350 } });
  expect(proxy!.values.speedIndexMs.kind).toBe('absent');
  expect(direct!.values.largestContentfulPaintMs.kind).toBe('absent');
});

test('a Scenario that loses objects has means, and no change from the baseline', () => {
  const { design } = measurements;
  const [direct, proxy] = design.scenarios as [(typeof design.scenarios)[0], (typeof design.scenarios)[0]];
  const losing: Measurements = {
    ...measurements,
    design: { ...design, scenarios: [direct, { ...proxy, isComparable: false }] },
  };
  expect(compareMeasures(losing, ['firstContentfulPaintMs'])[1]!.values.firstContentfulPaintMs).toMatchObject({
    estimate: { mean: 80 },
    contrast: null,
  });
});

test('a page is in the means of the Scenarios in which its User Agent takes part, as in the table of latencies', () => {
  const { design } = measurements;
  const shared: Measurements = {
    ...measurements,
    design: {
      ...design,
      scenarios: design.scenarios.map((each, index) => (index === 0 ? each : { ...each, userAgents: ['alice'] })),
      userAgents: ['alice', 'bob'].map((name) => ({ name, userClass: null })),
    },
    visits: { block: [1, 1, 1], scenario: [0, 0, 1], userAgent: [0, 1, 0], page: [0, 0, 0] },
    values: { firstContentfulPaintMs: [100, 300, 50] },
  };
  const means = compareMeasures(shared, ['firstContentfulPaintMs']).map(({ values }) => values.firstContentfulPaintMs);
  expect(means).toMatchObject([{ estimate: { mean: 200 } }, { estimate: { mean: 50 } }]);
});
