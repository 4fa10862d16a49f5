import { expect, test } from 'vitest';
import { BundleLineSchema } from '#core/record/bundle-line.ts';
import { computeReduction } from '#core/comparison/latencies/compute-reduction.ts';
import { excessKurtosis, skewness } from '#core/comparison/latencies/find-flags.ts';

test('the shape of a sample does not depend on its unit, however small', () => {
  const values = [1, 2, 4, 8, 9];
  for (const unit of [1e-150, 1, 1e100]) {
    const scaled = values.map((value) => value * unit);
    expect(skewness(scaled)).toBeCloseTo(skewness(values)!, 12);
    expect(excessKurtosis(scaled)).toBeCloseTo(excessKurtosis(values)!, 12);
  }
});

test('a bound of a reduction is a number that JSON can hold, even from two Rounds that lie far apart', () => {
  const reduction = computeReduction(Float64Array.of(0, 2.5), 0.999);
  expect(reduction!.low).toBe(-Number.MAX_VALUE);
  expect(JSON.parse(JSON.stringify(reduction))).toEqual(reduction);
});

test('a bundle with a latency that no Visit can have is damaged', () => {
  const line = {
    kind: 'visit',
    id: '00000000-0000-4000-8000-000000000001',
    passId: '00000000-0000-4000-8000-000000000002',
    sequence: 0,
    url: 'http://a/',
    repetition: 1,
    startedEpochMs: 1,
    status: 'ok',
    code: null,
    isSettled: true,
    isHidden: false,
    metricsVersion: 1,
    readings: { totalMs: 900 },
    absences: {},
  };
  expect(BundleLineSchema.safeParse(line).success).toBe(true);
  for (const totalMs of [1e300, -1e300, 1e-200]) {
    expect(BundleLineSchema.safeParse({ ...line, readings: { totalMs } }).error!.issues).toMatchObject([
      { path: ['readings'], message: 'must be 0, or a time from 1e-100 to 10000000000000 ms' },
    ]);
  }
});
