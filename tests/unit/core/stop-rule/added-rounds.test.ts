import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { describe, expect, test } from 'vitest';
import { describeChanges, type Conditions } from '#controller/runs/run-conditions.ts';
import { stateAdded } from '#core/comparison/remarks/state-remarks.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { listLooks } from '#core/comparison/design-comparison.ts';
import { lookBoundaries } from '#core/statistics/look-boundaries.ts';
import { countBlocksNeeded } from '#controller/estimates/propose-rounds.ts';
import { decideStop } from '#core/stop-rule/decide-stop.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { laptopFacts } from '#tests/support/join-agent.ts';

const fixed = makeEvaluation().repetition;
const at = {
  requestedBy: 'Ada',
  requestedAt: '2026-11-26T10:00:00Z',
  startedAt: null,
  endedBefore: '2026-11-25T10:00:00Z',
};

const normal = (z: number) => normalCdf(z, 0, 1);

describe('the order of added Rounds', () => {
  const evaluation = makeEvaluation();

  test('is a function of the seed, continues that of the Run, and begins with a warm-up', () => {
    const plan = expandEvaluation(evaluation, 7, [
      { firstBlock: 3, blocks: 2 },
      { firstBlock: 5, blocks: 1 },
    ]);
    expect(plan.slice(0, 6)).toEqual(expandEvaluation(evaluation, 7));
    expect(plan.map(({ index }) => index)).toEqual(Array.from({ length: 16 }, (_, index) => index));
    expect(plan.filter((_, index) => index % 2 === 0).map(({ addition, block }) => [addition, block])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 3],
      [1, 4],
      [2, 0],
      [2, 5],
    ]);
  });

  test('after added Rounds that were stopped, others follow the Blocks that were begun', () => {
    const plan = expandEvaluation(evaluation, 7, [
      { firstBlock: 3, blocks: 9 },
      { firstBlock: 3, blocks: 1 },
    ]);
    expect(plan.slice(6).map(({ addition, block }) => [addition, block])).toEqual([
      [1, 0],
      [1, 0],
      [2, 0],
      [2, 0],
      [2, 3],
      [2, 3],
    ]);
  });
});

describe('several looks at a result', () => {
  test.for([
    [6, 12, 0.03, 0.01],
    [10, 11, 0.03, 0.001],
    [100, 101, 0.02, 0.001],
    [5, 500, 0.03, 0.02],
  ] as const)(
    'the second boundary, after %i and %i Rounds, spends what it is to spend',
    ([earlier, later, first, spent]) => {
      const [edge, boundary] = lookBoundaries([
        { count: earlier, spent: first },
        { count: later, spent },
      ]);
      expect(2 * normal(-edge!)).toBeCloseTo(first, 9);
      // Over all results within the first boundary: how probable one beyond the second is then.
      const steps = 4000;
      const width = (2 * edge!) / steps;
      const crossing = Array.from({ length: steps }, (_, index) => {
        const z = -edge! + (index + 0.5) * width;
        const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
        const beyond = (side: number) =>
          normal((side * z * Math.sqrt(earlier) - boundary! * Math.sqrt(later)) / Math.sqrt(later - earlier));
        return density * width * (beyond(1) + beyond(-1));
      }).reduce((sum, part) => sum + part, 0);
      expect(crossing / spent).toBeCloseTo(1, 4);
    },
  );

  test('no later boundary is below the first, however much is left to spend', () => {
    const [first, second, third] = lookBoundaries(
      [10, 11, 12].map((count) => ({ count, spent: 0.02 * (count - 9.5) })),
    );
    expect([second, third]).toEqual([first, first]);
  });

  test('the boundaries are those of Pocock 1977 where the first looks spend as much as his do', () => {
    // Two looks at 2.178 each: the first spends 2.94 %, the second the rest of 5 %.
    const [first, second] = lookBoundaries([
      { count: 1, spent: 0.0294 },
      { count: 2, spent: 0.0206 },
    ]);
    expect(first).toBeCloseTo(2.178, 3);
    expect(second).toBeCloseTo(2.178, 3);
  });

  test('one look has the declared confidence; each later one a higher one, below that of Bonferroni’s correction', () => {
    expect(intervalConfidence(fixed, 0.95, [10])).toBe(0.95);
    const second = intervalConfidence(fixed, 0.95, [10, 20]);
    expect(second).toBeCloseTo(0.9892, 4);
    expect(second).toBeLessThan(1 - 0.005);
    expect(intervalConfidence(fixed, 0.95, [10, 20, 30])).toBeGreaterThan(second);
    const declared = { ...fixed, mayAddRounds: true };
    expect(intervalConfidence(declared, 0.95)).toBeCloseTo(0.96, 12);
  });

  test('looks are counted by Blocks, and added Rounds of which none was measured are none', () => {
    const added = [{ firstBlock: 4 }, { firstBlock: 4 }, { firstBlock: 6 }];
    expect(listLooks([], [1, 2, 3])).toEqual([]);
    expect(listLooks(added, [1, 1, 2, 3])).toEqual([3]);
    expect(listLooks(added, [6, 5, 4, 3, 2, 1])).toEqual([3, 5, 6]);
  });

  test('the remark says which Blocks were added when, what that did to the intervals, and what nobody had declared', () => {
    const context = { looks: [2, 5], confidence: 0.95, intervalConfidence: 0.9893 };
    const added = [{ ...at, firstBlock: 3, blocks: 3 }];
    const [remark] = stateAdded(added, { ...context, repetition: fixed });
    expect(remark!.text).toBe(
      'Rounds were added after the result had been seen: Blocks 3–5 on 2026-11-26. To account for these 2 looks at the result, 95 % intervals are computed at 98.93 %. The Evaluation did not declare this, so up to 6 % of such Runs show a difference by chance, instead of 5 %.',
    );
    expect(stateAdded(added, { ...context, repetition: { ...fixed, mayAddRounds: true } })[0]!.text).not.toContain(
      'declare',
    );
    expect(stateAdded(added, { ...context, looks: [2], repetition: fixed })).toEqual([]);
  });
});

test('added Rounds end with the last of them, with a stop rule too, and not for its budget of time', () => {
  const run = { confidence: 0.95, elapsedMs: 1e9, blockMs: 1, cells: [], added: { lastBlock: 8, looks: [5] } };
  const adaptive = { target: { halfWidthRatio: 0.05 }, minRounds: 5, maxRounds: 5, timeBudgetMs: 1000 };
  for (const repetition of [fixed, { ...fixed, rounds: undefined, adaptive }]) {
    expect(decideStop({ ...run, repetition, blocks: 7 }).kind).toBe('continue');
    expect(decideStop({ ...run, repetition, blocks: 8 })).toMatchObject({ kind: 'stop', reason: 'added' });
  }
});

test('as many Blocks are needed as make every interval narrow enough, at the confidence of one more look', () => {
  const options = { repetition: fixed, confidence: 0.95, looks: [10], most: 1010 };
  const needed = countBlocksNeeded([{ standardDeviation: 0.1, halfWidth: 0.05 }], options)!;
  // z of 98.9 % is about 2.55: (2.55 · 0.1 / 0.05)² = 26, and a few more for Student’s t.
  expect(needed).toBeGreaterThan(26);
  expect(needed).toBeLessThan(34);
  expect(countBlocksNeeded([{ standardDeviation: 100, halfWidth: 0.05 }], options)).toBeNull();
  expect(countBlocksNeeded([], options)).toBeNull();
});

test('what changed between Rounds is listed, and what is not known is not', () => {
  const host = { agentVersion: '1', facts: laptopFacts };
  const earlier: Conditions = {
    engineVersions: [{ host: 'laptop', version: 'Chrome/140' }],
    metricsVersions: [2],
    hosts: { laptop: host },
  };
  expect(describeChanges(earlier, earlier)).toEqual([]);
  const later: Conditions = {
    engineVersions: [{ host: 'laptop', version: 'Chrome/141' }],
    metricsVersions: [3],
    hosts: { laptop: { ...host, facts: { ...laptopFacts, cpuCount: laptopFacts.cpuCount + 1 } } },
  };
  expect(describeChanges(earlier, later)).toEqual([
    'The version of the metrics changed from 2 to 3.',
    'laptop: engines changed from Chrome/140 to Chrome/141.',
    `laptop: CPUs changed from ${laptopFacts.cpuCount} to ${laptopFacts.cpuCount + 1}.`,
  ]);
  expect(describeChanges({ ...earlier, engineVersions: [], hosts: null }, { ...later, metricsVersions: [2] })).toEqual(
    [],
  );
});
