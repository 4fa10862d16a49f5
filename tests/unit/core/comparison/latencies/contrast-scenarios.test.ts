import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { gatherCells } from '#core/comparison/cells/gather-cells.ts';
import { pairPages } from '#core/comparison/latencies/compute-reduction.ts';
import { contrastScenarios } from '#core/comparison/latencies/contrast-scenarios.ts';
import type { Contrast } from '#core/comparison/latencies/contrast.ts';
import { visit } from '../support/visits.ts';

/** One page in Blocks that begin at 1; null where it has no value. */
function contrast(own: (number | null)[], baseline: (number | null)[], confidence = 0.95): Contrast {
  const observe = (scenario: string, values: (number | null)[]) =>
    values.map((value, index) => visit({ block: index + 1, scenario, value }));
  const gathered = gatherCells([...observe('own', own), ...observe('baseline', baseline)], ({ value }) => value);
  const of = (name: string) => gathered.cells.filter((cell) => cell.scenario === name);
  return contrastScenarios(pairPages(of('own'), of('baseline')), {
    blocks: own.map((_, index) => index + 1),
    confidence,
    equivalenceMargin: 0.05,
    generator: xoroshiro128plus(7),
  })!;
}

const baseline = [100, 104, 98, 101, 107, 95, 99, 103, 102, 100, 97, 105];
const faster = [81, 80, 79, 80, 86, 78, 80, 81, 83, 79, 78, 86];

test('a Scenario that takes less has a negative difference in ms, a positive reduction, and the Blocks that show it', () => {
  const { pairing, meanDifference, medianDifference, blocks, ...rest } = contrast(faster, baseline);
  expect(pairing).toBe('blocks');
  // Student's t at 97.5 % with 11 degrees of freedom; the squared deviations sum to 38.
  expect(meanDifference).toMatchObject({ kind: 'measured', value: -20 });
  const { low, high } = meanDifference as { low: number; high: number };
  expect(low + high).toBeCloseTo(-40);
  expect(high - low).toBeCloseTo(2 * 2.200985160082949 * Math.sqrt(38 / 11 / 12));
  expect(medianDifference).toMatchObject({ kind: 'measured', value: -20 });
  expect(rest).toMatchObject({ cliffsDelta: -1, probabilityOfSuperiority: 1, mannWhitney: null });
  expect(blocks[1]).toEqual({ block: 2, reduction: expect.closeTo(1 - 80 / 104) as number });
  expect(blocks.map(({ block }) => block)).toEqual(baseline.map((_, index) => index + 1));
});

test('the bootstrap needs 10 Blocks, then has the reduction with an interval about it', () => {
  expect(contrast(faster.slice(0, 9), baseline.slice(0, 9)).bootstrapReduction).toEqual({
    kind: 'absent',
    reason: 'too-few-rounds',
  });
  const measured = contrast(faster.slice(0, 10), baseline.slice(0, 10)).bootstrapReduction;
  if (measured.kind !== 'measured') throw new Error('not measured');
  const logRatios = faster.slice(0, 10).map((value, index) => Math.log(value / baseline[index]!));
  const mean = logRatios.reduce((sum, value) => sum + value, 0) / 10;
  expect(measured.value).toBeCloseTo(1 - Math.exp(mean), 12);
  expect(measured.low).toBeLessThan(measured.value);
  expect(measured.high).toBeGreaterThan(measured.value);
  expect(measured.high! - measured.low!).toBeLessThan(0.03);
});

test('where all Blocks have the same reduction, the bootstrap has no width', () => {
  const { bootstrapReduction } = contrast(
    baseline.map(() => 75),
    baseline.map(() => 100),
  );
  expect(bootstrapReduction).toEqual({
    kind: 'measured',
    value: expect.closeTo(0.25, 12) as number,
    low: expect.closeTo(0.25, 12) as number,
    high: expect.closeTo(0.25, 12) as number,
  });
});

const latency = fc.integer({ min: 50, max: 200 });
const rounds = fc.array(fc.tuple(latency, latency), { minLength: 6, maxLength: 14 });

test('with the two Scenarios exchanged, every difference changes its sign alone', () => {
  fc.assert(
    fc.property(rounds, (pairs) => {
      const [own, other] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)];
      const [one, back] = [contrast(own, other), contrast(other, own)];
      for (const name of ['meanDifference', 'medianDifference'] as const) {
        const [there, here] = [one[name], back[name]];
        if (there.kind !== 'measured' || here.kind !== 'measured') throw new Error('not measured');
        expect(there.value).toBeCloseTo(-here.value, 9);
        expect(there.low).toBeCloseTo(-here.high!, 9);
        expect(there.high).toBeCloseTo(-here.low!, 9);
      }
      expect(one.cliffsDelta).toBeCloseTo(-back.cliffsDelta, 9);
      expect(one.probabilityOfSuperiority + back.probabilityOfSuperiority).toBeCloseTo(1, 9);
      expect(one.equivalence!.p).toBeCloseTo(back.equivalence!.p, 9);
      expect(one.signedRank!.p).toBeCloseTo(back.signedRank!.p, 9);
      one.blocks.forEach(({ block, reduction }, index) => {
        expect(back.blocks[index]!.block).toBe(block);
        expect((1 - reduction) * (1 - back.blocks[index]!.reduction)).toBeCloseTo(1, 9);
      });
    }),
    // log(123 / 50) and −log(50 / 123) are equal but for rounding.
    {
      numRuns: 30,
      examples: [
        [
          [
            [123, 50],
            [50, 123],
            [50, 50],
            [50, 50],
            [50, 185],
            [50, 50],
            [50, 75],
          ],
        ],
      ],
    },
  );
});

test('Scenarios are equivalent exactly where the interval of the reduction lies within the margin', () => {
  const near = fc.integer({ min: 900, max: 1080 });
  const results = new Set<boolean>();
  fc.assert(
    fc.property(fc.array(near, { minLength: 6, maxLength: 14 }), fc.constantFrom(0.9, 0.95), (own, confidence) => {
      fc.pre(new Set(own).size > 1);
      const { margin, low, high, isEquivalent } = contrast(
        own,
        own.map(() => 990),
        confidence,
      ).equivalence!;
      expect(margin).toBe(0.05);
      expect(isEquivalent).toBe(high <= margin && low >= -margin / (1 - margin));
      results.add(isEquivalent);
    }),
    {
      examples: [
        [[990, 991, 989, 990, 992, 990], 0.95],
        [[900, 1080, 900, 1080, 900, 1080, 1080], 0.95],
      ],
    },
  );
  expect(results).toEqual(new Set([true, false]));
});

test('Scenarios without a Block in common are compared unpaired: own less baseline, without what needs pairs', () => {
  const own = [80, 90, 85, null, null, null];
  const other = [null, null, null, 100, 110, 120];
  expect(contrast(own, other)).toMatchObject({
    pairing: 'none',
    verdict: 'no-pairs',
    meanDifference: { kind: 'measured', value: -25 },
    medianDifference: { kind: 'measured', value: -25, low: null, high: null },
    bootstrapReduction: { kind: 'absent', reason: 'no-pairs' },
    signedRank: null,
    mannWhitney: { p: expect.closeTo(0.1) as number, isExact: true },
    cliffsDelta: -1,
    probabilityOfSuperiority: 1,
    equivalence: null,
    blocks: [],
  });
});
