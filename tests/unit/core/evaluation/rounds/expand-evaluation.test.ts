import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { smallest } from '../support/smallest-evaluation.ts';

describe('the plan of a Run', () => {
  const evaluationWith = (scenarios: number, repetition: object): Evaluation =>
    EvaluationSchema.parse({
      ...smallest,
      scenarios: Array.from({ length: scenarios }, (_, index) => ({ name: `S${index}`, baseline: index === 0 })),
      repetition,
    });

  it('is a function of Evaluation and seed, and has every Scenario once in each Block', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        fc.boolean(),
        (scenarios, rounds, seed, warmUp) => {
          const evaluation = evaluationWith(scenarios, { rounds, warmUp });
          const plan = expandEvaluation(evaluation, seed);
          expect(expandEvaluation(evaluation, seed)).toEqual(plan);
          expect(plan.map((round) => round.index)).toEqual(plan.map((_, index) => index));
          expect(plan).toHaveLength(scenarios * (rounds + (warmUp ? 1 : 0)));
          const blocks = Map.groupBy(plan, ({ block }) => block);
          for (const block of blocks.values())
            expect(new Set(block.map(({ scenario }) => scenario)).size).toBe(scenarios);
          expect(plan.every((round) => round.warmUp === (round.block === 0))).toBe(true);
          expect(plan.map(({ block }) => block)).toEqual(plan.map(({ block }) => block).sort((a, b) => a - b));
        },
      ),
    );
  });

  it('puts every Scenario at every place within a Block equally often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 3000; seed++) {
      for (const { block, scenario, index } of expandEvaluation(
        evaluationWith(3, { rounds: 1, warmUp: false }),
        seed,
      )) {
        const key = `${block} ${index} ${scenario}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(9);
    // Binomial(3000, 1/3): 1000 ± 26; five standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  it('measures one Scenario after the other when it is sequential', () => {
    const plan = expandEvaluation(evaluationWith(2, { rounds: 2, order: 'sequential' }), 1);
    expect(plan.map(({ scenario, block }) => `${scenario} ${block}`)).toEqual([
      'S0 0',
      'S0 1',
      'S0 2',
      'S1 0',
      'S1 1',
      'S1 2',
    ]);
  });
});
