import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hodgesLehmann } from '#core/comparison/latencies/contrast-scenarios.ts';
import { cliffsDelta, mannWhitney } from '#core/statistics/compare-unpaired.ts';
import { holmAdjust } from '#core/statistics/holm-adjust.ts';
import { medianInterval } from '#core/statistics/median-interval.ts';
import { wilcoxonSignedRank } from '#core/statistics/wilcoxon-signed-rank.ts';
import { wilsonInterval } from '#core/comparison/cells/describe-cells.ts';

const whole = fc.integer({ min: -50, max: 50 });
const sample = fc.array(whole, { minLength: 1, maxLength: 15 });

describe('with any values', () => {
  it('the tests do not care which of two samples comes first', () => {
    fc.assert(
      fc.property(sample, sample, (first, second) => {
        expect(mannWhitney(second, first).p).toBeCloseTo(mannWhitney(first, second).p, 12);
        expect(cliffsDelta(second, first).cliffsDelta).toBeCloseTo(-cliffsDelta(first, second).cliffsDelta, 12);
        expect(mannWhitney(first, second).statistic / (first.length * second.length)).toBeCloseTo(
          1 - cliffsDelta(first, second).probabilityFirstIsSmaller,
          12,
        );
      }),
    );
    fc.assert(
      fc.property(sample, (differences) => {
        expect(wilcoxonSignedRank(differences.map((value) => -value)).p).toBeCloseTo(
          wilcoxonSignedRank(differences).p,
          12,
        );
      }),
    );
  });

  it('the Hodges–Lehmann estimate lies in its interval, and moves with the values', () => {
    fc.assert(
      fc.property(sample, whole, (differences, shift) => {
        const { value, low, high } = hodgesLehmann(differences, 0.95);
        expect(low ?? value).toBeLessThanOrEqual(value);
        expect(high ?? value).toBeGreaterThanOrEqual(value);
        expect(
          hodgesLehmann(
            differences.map((difference) => difference + shift),
            0.95,
          ).value,
        ).toBeCloseTo(value + shift, 12);
      }),
    );
  });

  it('a higher confidence never narrows the interval of the median', () => {
    fc.assert(
      fc.property(fc.array(whole, { minLength: 8, maxLength: 60 }), (values) => {
        const [narrow, wide] = [medianInterval(values, 0.9)!, medianInterval(values, 0.99)!];
        expect(wide.low).toBeLessThanOrEqual(narrow.low);
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high);
      }),
    );
  });

  it('Wilson’s interval stays between 0 and 1, and contains the part', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, part) => {
        const { low, ratio, high } = wilsonInterval({ count: Math.round(part * of), of }, 0.95);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(ratio);
        expect(high).toBeGreaterThanOrEqual(ratio);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('Holm’s correction never lowers a p, and never changes their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (values) => {
        const adjusted = holmAdjust(values);
        adjusted.forEach((p, index) => expect(p).toBeGreaterThanOrEqual(values[index]!));
        const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
        for (let rank = 1; rank < order.length; rank++)
          expect(adjusted[order[rank]!]).toBeGreaterThanOrEqual(adjusted[order[rank - 1]!]!);
      }),
    );
  });
});
