import { expect, test } from 'vitest';
import { describeQuantity, formatEstimate } from '#cli/study/format-quantity.ts';
import { measureQuantity } from '#cli/study/measure-quantity.ts';
import { QuantitySchema } from '#core/study/quantity.ts';
import { countPoint } from '#tests/support/counted-point.ts';
import { makeStudyRun } from '#tests/support/make-study-run.ts';

const points = [1, 2, 3].flatMap((block) => [
  countPoint({ point: 'satellite', scenario: 'direct', block, packets: 100 + 10 * block }),
  countPoint({ point: 'satellite', scenario: 'proxy', block, packets: 50 + block, httpRequests: 0 }),
]);

function measure(quantity: object) {
  const parsed = QuantitySchema.parse({ kind: 'capture-point', point: 'satellite', ...quantity });
  const estimate = measureQuantity(parsed, makeStudyRun({ points }));
  return { estimate, text: formatEstimate(parsed, estimate), name: describeQuantity(parsed) };
}

test('a figure of a Capture Point is its mean per Round, with its interval and unit', () => {
  const { estimate, text, name } = measure({ figure: 'bytes', scenario: 'direct' });
  // qt(0.975, 2) * 10000 / sqrt(3)
  expect(estimate).toMatchObject({ value: 120_000, blocks: 3 });
  expect(estimate!.interval!.high).toBeCloseTo(120_000 + 24_841.38, 1);
  expect(text).toBe('120000 B (95159 B to 144841 B)');
  expect(name).toBe('Bytes at satellite per Round, direct');
});

test('against another Scenario it is the ratio of the two means, over the Blocks that have both', () => {
  const { estimate, name } = measure({ figure: 'packets', scenario: 'proxy', against: 'direct' });
  expect(estimate).toMatchObject({ value: 52 / 120, blocks: 3 });
  expect(name).toBe('Packets at satellite per Round, proxy over direct');
  expect(measure({ figure: 'httpRequests', scenario: 'proxy', against: 'direct' }).text).toBe('0 (0 to 0)');
  // Nothing is a multiple of none.
  expect(measure({ figure: 'httpRequests', scenario: 'direct', against: 'proxy' }).text).toBe('no value');
});

test('a point or a Scenario that was not captured has no value, and an unknown figure is rejected', () => {
  expect(measure({ figure: 'bytes', scenario: 'direct', point: 'elsewhere' }).estimate).toBeNull();
  expect(measure({ figure: 'bytes', scenario: 'proxy', against: 'third' }).estimate).toBeNull();
  expect(() => measure({ figure: 'latency', scenario: 'direct' })).toThrow(/must be one of packets, bytes/);
});
