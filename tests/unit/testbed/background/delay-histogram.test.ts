import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DelayHistogram } from '#testbed/background/flow-messages.ts';

it('knows p50 and p95 of any delays within 0.2 %', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.05, max: 1e6, noNaN: true }), { minLength: 1 }), (delays) => {
      const histogram = new DelayHistogram();
      delays.forEach((delay) => histogram.add(delay));
      const sorted = delays.toSorted((a, b) => a - b);
      const { p50Ms, p95Ms } = histogram.summarize()!;
      for (const [found, probability] of [
        [p50Ms, 0.5],
        [p95Ms, 0.95],
      ] as const) {
        const exact = sorted[Math.ceil(probability * sorted.length) - 1]!;
        expect(Math.abs(found / exact - 1)).toBeLessThan(0.002);
      }
    }),
  );
});

it('has no quantile of nothing', () => {
  expect(new DelayHistogram().summarize()).toBeNull();
});
