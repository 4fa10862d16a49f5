import { expect, test } from 'vitest';
import { describeEnding } from '#core/record/describe-ending.ts';
import { BlockDecisionSchema, recordDecision, type BlockDecision } from '#core/stop-rule/block-decision.ts';

const decision: BlockDecision = {
  blocks: 12,
  stopReason: null,
  elapsedMs: 60_000,
  blockMs: 5000,
  blocksExpected: 20,
  cells: 8,
  missed: [],
  cellsMissed: 3,
};

test.for<[BlockDecision['stopReason'], Partial<BlockDecision>, string]>([
  ['fixed', {}, 'The Run ended after 12 Blocks, as the Evaluation declares.'],
  ['target', { cellsMissed: 0 }, 'The Run ended after 12 Blocks: all 8 means reached their target.'],
  [
    'max-rounds',
    {},
    'The Run ended after 12 Blocks, the most that the Evaluation allows: 3 of 8 means missed their target.',
  ],
  [
    'time-budget',
    {},
    'The Run ended after 12 Blocks, because another would exceed the time budget: 3 of 8 means missed their target.',
  ],
  [
    'added',
    {},
    'The Run ended after 12 Blocks, with the last of the Rounds that were added: 3 of 8 means missed their target.',
  ],
  [
    'added',
    { cells: 0, cellsMissed: 0 },
    'The Run ended after 12 Blocks, with the last of the Rounds that were added.',
  ],
  ['fixed', { blocks: 1 }, 'The Run ended after 1 Block, as the Evaluation declares.'],
  ['target', { cells: 1, cellsMissed: 0 }, 'The Run ended after 12 Blocks: the one mean reached its target.'],
  [
    'max-rounds',
    { cells: 1, cellsMissed: 1 },
    'The Run ended after 12 Blocks, the most that the Evaluation allows: 1 of 1 mean missed its target.',
  ],
  [null, {}, 'The stop rule continued the Run after 12 Blocks.'],
])('a Run that ended by %s says so: %o', ([stopReason, change, sentence]) => {
  expect(describeEnding({ ...decision, ...change, stopReason })).toBe(sentence);
});

const cellOf = (url: string, isReached: boolean) => ({
  metric: 'totalMs' as const,
  scenario: 'direct',
  userAgent: 'alice',
  url,
  rounds: { count: 6, mean: 1000, standardDeviation: 60 },
  halfWidthMs: 63,
  targetMs: 50,
  isReached,
});
const cells = [cellOf('http://a.test/', true), cellOf('http://b.test/', false), cellOf('http://c.test/', false)];
const seen = { blocks: 6, elapsedMs: 1, blockMs: 2, blocksExpected: 4 };

test('what is kept of a decision to stop lists the means that missed their target', () => {
  const kept = recordDecision({ kind: 'stop', reason: 'max-rounds', cells }, seen);
  expect(kept).toMatchObject({ stopReason: 'max-rounds', blocks: 6, blocksExpected: 6, cells: 3, cellsMissed: 2 });
  expect(kept.missed.map(({ url, rounds, halfWidthMs, targetMs }) => [url, rounds, halfWidthMs, targetMs])).toEqual([
    ['http://b.test/', 6, 63, 50],
    ['http://c.test/', 6, 63, 50],
  ]);
  expect(BlockDecisionSchema.parse(kept)).toEqual(kept);
});

test('what is kept of a decision to continue counts them, and expects at least one more Block', () => {
  const go = { kind: 'continue', cells } as const;
  expect(recordDecision(go, seen)).toMatchObject({
    stopReason: null,
    missed: [],
    cells: 3,
    cellsMissed: 2,
    blocksExpected: 7,
  });
  expect(recordDecision(go, { ...seen, blocksExpected: 30 }).blocksExpected).toBe(30);
});
