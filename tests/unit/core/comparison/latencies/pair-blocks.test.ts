import { expect, test } from 'vitest';
import { pairBlocks } from '#core/comparison/latencies/pair-blocks.ts';

const rounds = (values: Record<number, number>) => ({
  blocks: Object.entries(values).map(([block, value]) => ({ block: Number(block), value })),
});

test('a Block has a pair where both Scenarios have a Round in it, in the order of the Blocks', () => {
  expect(pairBlocks(rounds({ 1: 100, 2: 110, 4: 130 }), rounds({ 4: 90, 2: 80, 3: 70 }))).toEqual([
    { block: 2, baselineMs: 110, scenarioMs: 80 },
    { block: 4, baselineMs: 130, scenarioMs: 90 },
  ]);
  expect(pairBlocks(rounds({ 1: 100 }), rounds({ 2: 90 }))).toEqual([]);
});
